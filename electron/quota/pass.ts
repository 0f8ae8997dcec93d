import { createPublicKey, verify } from 'node:crypto'
import { passClaims, type PassClaims } from '#shared/api/local-jobs'

/** What a pass says, if this key signed it (Ed25519; the key as `readPassKey` gives it). */
export function readPass(pass: string, key: string): PassClaims | undefined {
  const [text = '', signature = ''] = pass.split('.')
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
    if (!verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))) return undefined
    return passClaims.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return undefined // no key, or signed but not understood: a later server's
  }
}
