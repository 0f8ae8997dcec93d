import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { devices, identities, sessions } from '../database/schema.ts'
import { decrypt, encrypt, isSame, randomText, sign, type Secrets } from '../secrets.ts'

const SESSION_DAYS = 180
const DAY_MS = 86_400_000

/** Who calls: the identity behind a session, and what names it on the page. */
export interface Caller {
  readonly identityId: string
  readonly deviceId: string
  /** Of the session, to tie the XSRF token to. */
  readonly tokenHash: string
}

/** A guest's identity as the page shows it. */
export interface Profile {
  readonly userid: string
  readonly username: string
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Makes, finds and shows identities. An account id has 130 random bits and is a credential: it is looked up by HMAC and kept encrypted. */
export class Identities {
  readonly #db: Database
  readonly #secrets: Secrets

  constructor(db: Database, secrets: Secrets) {
    this.#db = db
    this.#secrets = secrets
  }

  /** The caller of a session cookie, or undefined when it is unknown or over. */
  async findCaller(token: string, now: number): Promise<Caller | undefined> {
    const tokenHash = hashOf(token)
    const [row] = await this.#db
      .select({ identityId: sessions.identityId, deviceId: sessions.deviceId })
      .from(sessions)
      .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, new Date(now))))
    return row && { ...row, tokenHash }
  }

  async profile(identityId: string): Promise<Profile> {
    const [row] = await this.#db.select().from(identities).where(eq(identities.id, identityId))
    if (!row) throw new Error('a session without its identity')
    return { userid: decrypt(this.#secrets.key('account-cipher'), row.accountCipher), username: row.username }
  }

  /** A new guest with a session on a device, which is made when there is none. Returns what goes into the cookies. */
  async createGuest(deviceToken: string | undefined, now: number): Promise<{ caller: Caller; token: string; deviceToken: string }> {
    const knownDevice = this.#deviceOf(deviceToken)
    const deviceId = knownDevice ?? randomText(20)
    const accountId = randomText(26)
    const token = randomBytes(32).toString('base64url')
    const caller = { identityId: randomText(16), deviceId, tokenHash: hashOf(token) }
    await this.#db.transaction(async (tx) => {
      await tx.insert(devices).values({ id: deviceId }).onConflictDoNothing()
      await tx.insert(identities).values({
        id: caller.identityId,
        accountIndex: sign(this.#secrets.key('account-index'), accountId),
        accountCipher: encrypt(this.#secrets.key('account-cipher'), accountId),
        username: `游客${randomText(20)}`,
      })
      await tx.insert(sessions).values({
        tokenHash: caller.tokenHash,
        identityId: caller.identityId,
        deviceId,
        expiresAt: new Date(now + SESSION_DAYS * DAY_MS),
      })
    })
    return { caller, token, deviceToken: `${deviceId}.${this.#deviceSignature(deviceId)}` }
  }

  #deviceSignature(deviceId: string): string {
    return sign(this.#secrets.key('device'), deviceId)
  }

  /** The device a token was signed for; a token of another making is as good as none. */
  #deviceOf(token: string | undefined): string | undefined {
    const [deviceId, signature] = token?.split('.') ?? []
    return deviceId && signature && isSame(signature, this.#deviceSignature(deviceId)) ? deviceId : undefined
  }
}
