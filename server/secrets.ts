import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#engine/failures'

/** What a key is for: keys of different purposes share nothing. */
type Purpose =
  | 'account-index'
  | 'account-cipher'
  | 'wechat-index'
  | 'wechat-sandbox'
  | 'device'
  | 'address'
  | 'xsrf'
  | 'result'
  | 'job'
  | 'storage'
  | 'operator'
  | 'offline-pass'

/** Keys derived from the one secret of an installation. */
export interface Secrets {
  /** 32 bytes for one purpose (HKDF-SHA-256, RFC 5869). */
  readonly key: (purpose: Purpose) => Buffer
}

/** The secret of the environment, or the data folder's own, made at the first start and readable by this user only. */
export function openSecrets(given: string | undefined, dataFolder: string): Secrets {
  const secret = given ?? ownSecret(dataFolder)
  return { key: (purpose) => Buffer.from(hkdfSync('sha256', secret, 'qingtu', purpose, 32)) }
}

function ownSecret(dataFolder: string): string {
  const file = join(dataFolder, 'secret.key')
  mkdirSync(dataFolder, { recursive: true })
  try {
    writeFileSync(file, newToken(), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const secret = readFileSync(file, 'utf8')
  if (secret.length < 32) throw new Error(`${file} is damaged`)
  return secret
}

/** HMAC-SHA-256 in base64url. */
export const sign = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** A token for whoever is to be known by it again: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is kept of a token (SHA-256 in base64url), so that who reads the database can't use it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Compares two strings without telling by its time where they differ. */
export function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** AES-256-GCM; nonce, tag and ciphertext in one base64url string. */
export function encrypt(key: Buffer, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** The text of `encrypt`; throws when key or ciphertext is wrong. */
export function decrypt(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Random characters of Crockford's base32 in lower case, 5 bits each. */
export const randomText = (length: number): string => Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('')
