import { and, eq, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { newSecret, stepOf, uriOf } from './one-time.ts'
import { hashPassword, isPassword, isStrong, NOBODY } from './password.ts'
import type { Operator } from './session.ts'
import type { Database } from '../database/open.ts'
import { operators, operatorSessions } from '../database/schema-operators.ts'
import { decrypt, encrypt, randomText, type Secrets } from '../secrets.ts'
import { AppError } from '#shared/errors/app-error'

/** Wrong tries after which nobody gets in for a while. */
const TRIES = 5
const LOCKED_MS = 15 * 60_000

/** What an operator gets, once. */
export interface Issued {
  readonly password: string
  readonly secret: string
  /** The secret for an authenticator app. */
  readonly uri: string
}

async function issue(name: string, secrets: Secrets): Promise<Issued & { readonly kept: { passwordHash: string; totpCipher: string } }> {
  const [password, secret] = [randomText(24), newSecret()]
  const kept = { passwordHash: await hashPassword(password), totpCipher: encrypt(secrets.key('operator'), secret) }
  return { password, secret, uri: uriOf(name, secret), kept }
}

/** A new operator; undefined where the name is taken. */
export async function addOperator(db: Database, secrets: Secrets, name: string, now: number): Promise<Issued | undefined> {
  const { kept, ...issued } = await issue(name, secrets)
  const rows = await db
    .insert(operators)
    .values({ id: randomText(16), name, ...kept, createdAt: new Date(now) })
    .onConflictDoNothing()
    .returning({ id: operators.id })
  return rows.length > 0 ? issued : undefined
}

/** Gives an operator another password and secret, and ends his sessions; undefined where there is none of this name. */
export async function resetOperator(db: Database, secrets: Secrets, name: string): Promise<Issued | undefined> {
  const { kept, ...issued } = await issue(name, secrets)
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(operators)
      .set({ ...kept, lastStep: 0, failures: 0, lockedUntil: null })
      .where(eq(operators.name, name))
      .returning({ id: operators.id })
    if (!row) return undefined
    await tx.delete(operatorSessions).where(eq(operatorSessions.operatorId, row.id))
    return issued
  })
}

/** What an operator gives who wants another password. */
export interface Change {
  readonly password: string
  readonly next: string
  readonly code: string
}

/**
 * Gives an operator the password he wants and ends his sessions but one. False where the present password or the code is not his, which
 * counts as a try at signing in. Throws `operator.weak-password`.
 */
export async function changePassword(
  db: Database,
  secrets: Secrets,
  { name, tokenHash }: Operator,
  { next, ...given }: Change,
  now: number,
): Promise<boolean> {
  if (next === given.password || !(await isStrong(next, name))) throw new AppError('operator.weak-password', {})
  const id = await recognise(db, secrets, { name, ...given }, now)
  if (id === undefined) return false
  const passwordHash = await hashPassword(next)
  await db.transaction(async (tx) => {
    await tx.update(operators).set({ passwordHash }).where(eq(operators.id, id))
    await tx.delete(operatorSessions).where(and(eq(operatorSessions.operatorId, id), ne(operatorSessions.tokenHash, tokenHash)))
  })
  return true
}

/** Whether there was one of this name; he is signed out. */
export const removeOperator = (db: Database, name: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [row] = await tx.select({ id: operators.id }).from(operators).where(eq(operators.name, name)).for('update')
    if (!row) return false
    await tx.delete(operatorSessions).where(eq(operatorSessions.operatorId, row.id))
    await tx.delete(operators).where(eq(operators.id, row.id))
    return true
  })

/** Who is an operator, by name. */
export const listOperators = (db: Database) =>
  db
    .select({ name: operators.name, createdAt: operators.createdAt, lockedUntil: operators.lockedUntil })
    .from(operators)
    .orderBy(operators.name)

/**
 * The id of the operator whose name, password and one-time password these are. A try counts before it is looked at, so that
 * many at the same time are no more tries; a one-time password works once.
 */
export async function recognise(
  db: Database,
  secrets: Secrets,
  given: { readonly name: string; readonly password: string; readonly code: string },
  now: number,
): Promise<string | undefined> {
  const at = new Date(now)
  const isLast = sql`${operators.failures} + 1 >= ${TRIES}`
  const [row] = await db
    .update(operators)
    .set({
      failures: sql`case when ${isLast} then 0 else ${operators.failures} + 1 end`,
      lockedUntil: sql`case when ${isLast} then ${new Date(now + LOCKED_MS).toISOString()}::timestamptz end`,
    })
    .where(and(eq(operators.name, given.name), or(isNull(operators.lockedUntil), lte(operators.lockedUntil, at))))
    .returning()
  const isRight = await isPassword(given.password, row?.passwordHash ?? NOBODY)
  const step = row && stepOf(decrypt(secrets.key('operator'), row.totpCipher), given.code, now)
  if (!row || !isRight || step === undefined) return undefined
  const [entered] = await db
    .update(operators)
    .set({ lastStep: step, failures: 0, lockedUntil: null })
    .where(and(eq(operators.id, row.id), lt(operators.lastStep, step)))
    .returning({ id: operators.id })
  return entered?.id
}
