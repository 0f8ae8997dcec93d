// A page that came over plain HTTP from another computer, as in an office's own network, is refused what follows by browsers
// (https://w3c.github.io/webappsec-secure-contexts/): each has to do without.

/** 128 random bits in hexadecimal; `crypto.randomUUID` is not to be had everywhere. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** By which tabs know of each other; where there are none, each is on its own. */
export const tabLocks: LockManager | undefined = isSecureContext ? navigator.locks : undefined
