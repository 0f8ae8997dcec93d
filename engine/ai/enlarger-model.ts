import type { Digest } from './models.ts'

/** The net that doubles pictures: ESRGAN-slim ×2 of UpscalerJS, which the build writes as ONNX; the digest is that of what it writes. */
export const shippedEnlarger = {
  file: 'enlarge-2x.onnx',
  digest: { algorithm: 'sha256', hex: '8a4a5f1707e94aa41fc339d3de3586564475245bbef88731a65f5ef5ace698a5' },
  licence: 'MIT',
  source: 'https://www.npmjs.com/package/@upscalerjs/esrgan-slim/v/1.0.0',
} as const satisfies { readonly file: string; readonly digest: Digest; readonly licence: string; readonly source: string }
