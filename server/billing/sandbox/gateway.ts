import { createSign, createVerify } from 'node:crypto'
import { publicHalf, type SandboxKeys } from './keys.ts'
import type { Database } from '#server/database/open'

/** What the gateway works with. It knows the merchant's public key and its own private one, as a provider does. */
export interface Gateway {
  readonly db: Database
  readonly keys: SandboxKeys
  readonly now: () => number
}

/** SHA-256 with RSA, in Base64, by the gateway's key. */
export const signAsPlatform = ({ keys }: Gateway, text: string): string =>
  createSign('RSA-SHA256').update(text).sign(keys.platform, 'base64')

/** Whether the merchant signed this text. */
export const isByMerchant = ({ keys }: Gateway, text: string, signature: string): boolean =>
  createVerify('RSA-SHA256').update(text).verify(publicHalf(keys.merchant), signature, 'base64')
