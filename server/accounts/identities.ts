import { and, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { identities } from '../database/schema.ts'
import { decrypt, encrypt, randomText, sign, type Secrets } from '../secrets.ts'

/** An identity as the page shows it. */
export interface Profile {
  readonly userid: string
  readonly username: string
  readonly avatar: string
}

/** As the alphabet of account ids reads what people type. */
const asTyped = (accountId: string): string => accountId.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')

/** Makes, finds and shows identities. An account id has 130 random bits and is a credential: it is looked up by HMAC and kept encrypted. */
export class Identities {
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  async read(db: Database, identityId: string): Promise<typeof identities.$inferSelect> {
    const [row] = await db.select().from(identities).where(eq(identities.id, identityId))
    if (!row) throw new Error('a session without its identity')
    return row
  }

  async profile(db: Database, identityId: string): Promise<Profile> {
    const { accountCipher, username, avatar } = await this.read(db, identityId)
    return { userid: decrypt(this.#secrets.key('account-cipher'), accountCipher), username, avatar }
  }

  /** A new guest; its id. */
  async createGuest(tx: Database, now: number): Promise<string> {
    const accountId = randomText(26)
    const id = randomText(16)
    await tx.insert(identities).values({
      id,
      accountIndex: this.#indexOf(accountId),
      accountCipher: encrypt(this.#secrets.key('account-cipher'), accountId),
      username: `游客${randomText(20)}`,
      createdAt: new Date(now),
    })
    return id
  }

  /** The member an account id names. A guest's id signs nobody in: guests have nothing to share between computers. */
  async findMember(db: Database, accountId: string): Promise<string | undefined> {
    const [row] = await db
      .select({ id: identities.id })
      .from(identities)
      .where(and(eq(identities.accountIndex, this.#indexOf(asTyped(accountId))), isNotNull(identities.memberSince)))
    return row?.id
  }

  /** Whether an account id is an identity's own. */
  async isOwn(db: Database, identityId: string, accountId: string): Promise<boolean> {
    const [row] = await db
      .select({ id: identities.id })
      .from(identities)
      .where(and(eq(identities.id, identityId), eq(identities.accountIndex, this.#indexOf(accountId))))
    return row !== undefined
  }

  #indexOf(accountId: string): string {
    return sign(this.#secrets.key('account-index'), accountId)
  }
}
