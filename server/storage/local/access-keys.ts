import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { OssError } from './oss-error.ts'
import { isSame } from '#server/secrets'

/** What a key may do: everything, or store below a prefix until a time. */
export type Grant = { readonly kind: 'own' } | { readonly kind: 'temporary'; readonly prefix: string; readonly expiresMs: number }

const tokenSchema = z.strictObject({ accessKeyId: z.string(), prefix: z.string().min(1), expires: z.number() })

/**
 * The endpoint's keys, all derived from one secret, so that nothing is stored and temporary ones survive a restart: the secret of
 * a temporary key is an HMAC of its id, and its token says under a signature what it may do.
 */
export class AccessKeys {
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly #secretKey: Buffer

  constructor(secretKey: Buffer) {
    this.#secretKey = secretKey
    this.accessKeyId = `LOCAL${this.#derive('access-key-id', '').slice(0, 20)}`
    this.accessKeySecret = this.#derive('access-key-secret', '')
  }

  issue(prefix: string, expiresMs: number): { accessKeyId: string; accessKeySecret: string; securityToken: string } {
    const accessKeyId = `STS.${randomBytes(16).toString('hex')}`
    const claims: z.infer<typeof tokenSchema> = { accessKeyId, prefix, expires: expiresMs }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const securityToken = `${payload}.${this.#derive('sts-token', payload)}`
    return { accessKeyId, accessKeySecret: this.#derive('sts-secret', accessKeyId), securityToken }
  }

  /** The secret and the rights of a presented key. Expiry is for the caller, once the signature has proved the key. */
  find(accessKeyId: string, securityToken: string | undefined): { readonly secret: string; readonly grant: Grant } {
    if (isSame(accessKeyId, this.accessKeyId)) {
      if (securityToken !== undefined) throw new OssError('InvalidSecurityToken', 'This key takes no security token.')
      return { secret: this.accessKeySecret, grant: { kind: 'own' } }
    }
    if (!accessKeyId.startsWith('STS.') || securityToken === undefined)
      throw new OssError('InvalidAccessKeyId', 'The OSS Access Key Id you provided does not exist in our records.')
    return { secret: this.#derive('sts-secret', accessKeyId), grant: this.#open(securityToken, accessKeyId) }
  }

  #open(securityToken: string, accessKeyId: string): Grant {
    const [payload = '', signature = '', ...rest] = securityToken.split('.')
    if (rest.length > 0 || !isSame(signature, this.#derive('sts-token', payload))) throw invalidToken()
    const claims = tokenSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    if (claims.accessKeyId !== accessKeyId) throw invalidToken()
    return { kind: 'temporary', prefix: claims.prefix, expiresMs: claims.expires }
  }

  #derive(purpose: string, text: string): string {
    return createHmac('sha256', this.#secretKey).update(`qingtu/storage/${purpose}\n${text}`).digest('hex')
  }
}

const invalidToken = (): OssError => new OssError('InvalidSecurityToken', 'The security token you provided is invalid.')
