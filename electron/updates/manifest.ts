import { createPublicKey, verify } from 'node:crypto'
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js'
import { z } from 'zod/mini'

/** What electron-builder writes beside an installer. */
export const MANIFEST = 'latest.yml'
/** Its signature by the operator, beside it: Ed25519 over the manifest's bytes, in base64. */
export const SIGNATURE = `${MANIFEST}.sig`

const SHA512_BASE64 = /^[A-Za-z0-9+/]{86}==$/
const manifest = z.object({
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
  files: z
    .array(
      z.object({
        // An installer lies beside its manifest, not elsewhere.
        url: z.string().check(z.regex(/^[\w.-]+\.exe$/)),
        sha512: z.string().check(z.regex(SHA512_BASE64)),
        size: z.int().check(z.positive()),
      }),
    )
    .check(z.length(1)),
  path: z.string(),
  sha512: z.string(),
  releaseDate: z.string(),
})
/** A newer version, as its manifest describes it. */
export type Manifest = z.infer<typeof manifest>

/** Whether `key` (the 32 bytes of a public Ed25519 key in base64url) signed these bytes. */
function isSigned(bytes: Buffer, signature: string, key: string): boolean {
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
  return verify(null, bytes, publicKey, Buffer.from(signature.trim(), 'base64'))
}

/** What a manifest says. Nothing of it is read before its signature has been found right; throws where it is not, and where it says something odd. */
export function readManifest(text: string, signature: string, key: string): Manifest {
  if (!isSigned(Buffer.from(text), signature, key)) throw new Error('the manifest of updates is not signed by who made this client')
  return manifest.parse(parseUpdateInfo(text, MANIFEST, new URL('https://update.invalid/')))
}
