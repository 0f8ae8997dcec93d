import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** Who may read the reports. */
export const operators = pgTable('operators', {
  id: text().primaryKey(),
  name: text().notNull().unique(),
  /** scrypt, with its salt and cost. */
  passwordHash: text('password_hash').notNull(),
  totpCipher: text('totp_cipher').notNull(),
  /** The step of the last one-time password used: none works twice. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  failures: integer().notNull().default(0),
  lockedUntil: moment('locked_until'),
  createdAt: moment('created_at').notNull(),
})

/** Operators at work; over after a quarter of an hour without a call. */
export const operatorSessions = pgTable('operator_sessions', {
  tokenHash: text('token_hash').primaryKey(),
  operatorId: text('operator_id')
    .notNull()
    .references(() => operators.id),
  lastSeenAt: moment('last_seen_at').notNull(),
})

/** What operators did, for good. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    operator: text().notNull(),
    action: text().notNull(),
    detail: jsonb().$type<unknown>().notNull(),
    address: text().notNull(),
    at: moment('at').notNull(),
  },
  (table) => [index('audit_log_at').on(table.at)],
)

/** What advertisers are told of, once each, until they have heard it or it is given up. */
export const conversions = pgTable('conversions', {
  /** Names the event, so that it is told once. */
  id: text().primaryKey(),
  kind: text().$type<'360-download' | 'purchase'>().notNull(),
  payload: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
  state: text().$type<'wanted' | 'sent' | 'given-up'>().notNull(),
  tries: integer().notNull().default(0),
  nextTryAt: moment('next_try_at'),
  createdAt: moment('created_at').notNull(),
})
