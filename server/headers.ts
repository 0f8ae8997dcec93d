/** What the headers depend on. */
export interface HeaderSettings {
  readonly isHttps: boolean
  /** Where else than here the page uploads to. */
  readonly storageOrigin: string | undefined
  /** Where else than here pictures are: of people, and the site's own. */
  readonly imageOrigins: readonly (string | undefined)[]
  /** Whose pages for paying are shown in a frame: Alipay's, or this server's own that stands in for them. */
  readonly payFrames: 'alipay' | 'own' | 'none'
}

/** Where Alipay's page begins, and where it leads. */
const ALIPAY = 'https://openapi.alipay.com https://excashier.alipay.com'
const frames = { alipay: ALIPAY, own: "'self'", none: "'none'" } as const

/** The headers of every answer: the page may load, send and be framed only as listed here. */
export function securityHeaders({ isHttps, storageOrigin, imageOrigins, payFrames }: HeaderSettings): Readonly<Record<string, string>> {
  const policy = [
    `default-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'${payFrames === 'alipay' ? ' https://openapi.alipay.com' : ''}`,
    `frame-ancestors 'none'`,
    // Kernels of effects are WebAssembly; script from text stays forbidden.
    `script-src 'self' 'wasm-unsafe-eval'`,
    `script-src-attr 'none'`,
    `style-src 'self'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src ${["'self'", 'data:', 'blob:', ...imageOrigins].filter(Boolean).join(' ')}`,
    `font-src 'self'`,
    `connect-src ${["'self'", storageOrigin].filter(Boolean).join(' ')}`,
    `worker-src 'self' blob:`,
    `frame-src ${frames[payFrames]}`,
    `object-src 'none'`,
    `manifest-src 'self'`,
    `require-trusted-types-for 'script'`,
    `trusted-types default react 'allow-duplicates'`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}
