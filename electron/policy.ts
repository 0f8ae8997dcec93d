/** Alipay's page begins here, and leads there. */
export const ALIPAY = ['https://openapi.alipay.com', 'https://excashier.alipay.com']

/** What the page may load, send and frame: itself, pictures of people and of the site, and the pages on which one pays. */
export function pagePolicy(server: string, imageOrigins: readonly string[]): string {
  return [
    `default-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    // Kernels of effects are WebAssembly; script from text stays forbidden.
    `script-src 'self' 'wasm-unsafe-eval'`,
    `script-src-attr 'none'`,
    `style-src 'self'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src ${["'self'", 'data:', 'blob:', 'https://*.qlogo.cn', ...imageOrigins].join(' ')}`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self' blob:`,
    // The sandbox's page is the server's: an address below /sandbox/ of this origin only leads there.
    `frame-src ${["'self'", ...ALIPAY, server].join(' ')}`,
    `object-src 'none'`,
    `manifest-src 'self'`,
    `require-trusted-types-for 'script'`,
    `trusted-types default react 'allow-duplicates'`,
  ].join('; ')
}

/** Beside a policy, of everything the client answers. */
export const guards: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** Of what is no page, should it ever be opened as one. */
export const INERT = `default-src 'none'; sandbox; frame-ancestors 'none'`
