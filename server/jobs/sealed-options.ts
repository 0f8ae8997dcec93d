import { decrypt, encrypt } from '../secrets.ts'
import { SECRET_KEY } from '#shared/tools/finding'

type Options = Readonly<Record<string, unknown>>

/** Options as a waiting job's row has them: whoever reads the database, its log or a backup learns no password from them. */
export function sealOptions(key: Buffer, options: Options): Options {
  const secret = options[SECRET_KEY]
  return typeof secret === 'string' && secret !== '' ? { ...options, [SECRET_KEY]: encrypt(key, secret) } : options
}

/** Nonce, tag and a character at least, in base64url. */
const SEALED = /^[\w-]{39,}$/

/** The options that were sealed. Of a job that has waited since before passwords were, they are as they lie (to go with the next version). */
export function unsealOptions(key: Buffer, options: unknown): unknown {
  if (typeof options !== 'object' || options === null || !(SECRET_KEY in options)) return options
  const sealed = options[SECRET_KEY]
  return typeof sealed === 'string' && SEALED.test(sealed) ? { ...options, [SECRET_KEY]: decrypt(key, sealed) } : options
}
