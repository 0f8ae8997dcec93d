/**
 * Whether a Host header names this machine in a way no name server can answer for: by address, or as localhost. Any other name may be
 * a stranger's that resolves here, so that his page shares our origin in a browser's eyes (DNS rebinding).
 */
export const isNamedDirectly = (host: string | undefined): host is string =>
  host !== undefined && /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)
