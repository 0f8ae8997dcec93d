interface Policies {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => unknown
}

/** Under Trusted Types a worker's address needs a policy: this one passes scripts of our own origin and nothing else. */
export function trustOwnScripts(): void {
  const { trustedTypes } = window as { trustedTypes?: Policies } // not in TypeScript's DOM types yet
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`refused: ${url}`)
      return url
    },
  })
}
