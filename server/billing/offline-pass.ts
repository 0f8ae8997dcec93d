import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { identities } from '../database/schema.ts'
import { randomText, type Secrets } from '../secrets.ts'
import { OFFLINE_DAYS, passClaims, type PassClaims } from '#shared/api/local-jobs'
import { DAY_MS } from '#shared/china-time'

/** RFC 8410: what stands before the 32 bytes of a private Ed25519 key in PKCS #8. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Issues what members' clients work by while the server is out of reach, and knows it again. */
export class OfflinePasses {
  readonly #private: KeyObject
  readonly #public: KeyObject

  constructor(secrets: Secrets) {
    const der = Buffer.concat([PKCS8_START, secrets.key('offline-pass')])
    this.#private = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    this.#public = createPublicKey(this.#private)
  }

  /** The public key's 32 bytes in base64url. */
  get key(): string {
    return this.#public.export({ format: 'jwk' }).x ?? ''
  }

  /** A pass for what a member has left now; none for guests. */
  async issue(db: Database, { identityId, deviceId }: { identityId: string; deviceId: string }, now: number): Promise<string | undefined> {
    const [person] = await db.select().from(identities).where(eq(identities.id, identityId))
    if (!person?.memberSince) return undefined
    const claims: PassClaims = {
      identity: identityId,
      device: deviceId,
      serial: randomText(20),
      issued: now,
      until: now + OFFLINE_DAYS * DAY_MS,
      credits: person.isForever ? null : Math.max(0, person.credits),
    }
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
    return `${text}.${sign(null, Buffer.from(text), this.#private).toString('base64url')}`
  }

  /** What a pass of this server says, whether its time is over or not; undefined for any other. */
  read(pass: string): PassClaims | undefined {
    const [text = '', signature = ''] = pass.split('.')
    if (!verify(null, Buffer.from(text), this.#public, Buffer.from(signature, 'base64url'))) return undefined
    return passClaims.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  }
}
