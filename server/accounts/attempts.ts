import { normalizeIP } from '@fastify/rate-limit'
import { lte, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/open.ts'
import { attempts } from '../database/schema.ts'
import { sign } from '../secrets.ts'
import type { Services } from '../services.ts'
import { AppError } from '#shared/errors/app-error'

/**
 * Lets an address try something so often in so many seconds, whoever asks: a new session brings no new tries, and neither does another
 * server. Counted in the database, for what it guards is worth a write: where that is away, nobody tries. Throws `rate.limited`.
 */
export function limitAddress(
  { connection, now, secrets }: Pick<Services, 'connection' | 'now' | 'secrets'>,
  what: string,
  [max, seconds]: readonly [max: number, seconds: number],
): (request: FastifyRequest) => Promise<void> {
  return async ({ ip }) => {
    const at = now()
    const isOver = sql`${attempts.until} <= ${new Date(at).toISOString()}::timestamptz`
    const [tried] = await connection.db
      .insert(attempts)
      .values({ key: sign(secrets.key('address'), `${what} ${normalizeIP(ip)}`), count: 1, until: new Date(at + seconds * 1000) })
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          count: sql`case when ${isOver} then 1 else least(${attempts.count} + 1, ${max + 1}) end`,
          until: sql`case when ${isOver} then excluded.until else ${attempts.until} end`,
        },
      })
      .returning()
    if (tried && tried.count > max) {
      throw new AppError('rate.limited', { seconds: Math.max(1, Math.ceil((tried.until.getTime() - at) / 1000)) })
    }
  }
}

/** Forgets tries whose time is over. */
export async function forgetAttempts(db: Database, now: number): Promise<void> {
  await db.delete(attempts).where(lte(attempts.until, new Date(now)))
}
