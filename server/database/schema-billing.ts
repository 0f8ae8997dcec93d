import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { identities } from './schema.ts'
import type { PlanCode } from '#shared/plans'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** The quota ledger: one row a job, reserved when it is accepted, then committed or released, never both. */
export const ledger = pgTable(
  'ledger',
  {
    jobId: text('job_id').primaryKey(),
    identityId: text('identity_id')
      .notNull()
      .references(() => identities.id),
    cost: text().notNull(),
    /** Inputs of the job: each counts once. */
    units: integer().notNull().default(1),
    /** What pays: nothing (a free tool), a lifetime membership, bought credits, or a guest's allowance of a day. */
    source: text().$type<'free' | 'forever' | 'credits' | 'allowance'>().notNull().default('free'),
    /** Of an allowance: whose it is, and the day in Asia/Shanghai. */
    holders: jsonb().$type<readonly string[]>().notNull().default([]),
    day: text(),
    state: text().$type<'reserved' | 'committed' | 'released'>().notNull(),
    /** Of a job that a client runs itself: on which computer. Then the row is all there is of the job here. */
    deviceId: text('device_id'),
    /** Of a job that was run without a network: under which pass. */
    passSerial: text('pass_serial'),
    reservedAt: moment('reserved_at').notNull().defaultNow(),
    settledAt: moment('settled_at'),
  },
  (table) => [
    index('ledger_identity').on(table.identityId),
    index('ledger_forgettable')
      .on(table.settledAt)
      .where(sql`source <> 'credits'`),
    index('ledger_at_clients')
      .on(table.identityId, table.reservedAt)
      .where(sql`state = 'reserved' and device_id is not null`),
  ],
)

/** What was used of a day's allowance by one holder: a computer, or an address of the network (as an HMAC). */
export const allowances = pgTable(
  'allowances',
  { holder: text().notNull(), day: text().notNull(), cost: text().notNull(), used: integer().notNull() },
  (table) => [primaryKey({ columns: [table.holder, table.day, table.cost] })],
)

/** Where an order stands. A paid one of a plan that another payment had already paid for is a duplicate, and paid back. */
export type OrderState = 'new' | 'paid' | 'closed' | 'duplicate' | 'refunded'

/** Orders. The id is the merchant's number at the provider, made here and not to be guessed. Money in fen. */
export const orders = pgTable(
  'orders',
  {
    id: text().primaryKey(),
    identityId: text('identity_id')
      .notNull()
      .references(() => identities.id),
    /** The page's own number: the same order sent again is the same order. */
    clientOrderId: text('client_order_id').notNull(),
    deviceId: text('device_id').notNull(),
    method: text().$type<'alipay' | 'wechat'>().notNull(),
    plan: text().$type<PlanCode>().notNull(),
    amountFen: integer('amount_fen').notNull(),
    /** What is shown to the payer: the page's address, or what the code says. */
    code: text(),
    state: text().$type<OrderState>().notNull().default('new'),
    /** The provider's number of the payment. */
    transactionId: text('transaction_id'),
    bdUrl: text('bd_url').notNull().default(''),
    url360: text('url_360').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    /** Until when the code can be paid. */
    expiresAt: moment('expires_at').notNull(),
    paidAt: moment('paid_at'),
    /** When the provider is asked next, and how often it was. */
    nextQueryAt: moment('next_query_at'),
    queries: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('orders_client').on(table.identityId, table.clientOrderId),
    uniqueIndex('orders_transaction').on(table.method, table.transactionId),
    index('orders_paid').on(table.paidAt),
    index('orders_due')
      .on(table.nextQueryAt)
      .where(sql`next_query_at is not null`),
  ],
)

/** An order as the row has it. */
export type Order = typeof orders.$inferSelect

/** What payments gave and refunds took: one row each, so that money counts exactly once. */
export const grants = pgTable(
  'grants',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    identityId: text('identity_id')
      .notNull()
      .references(() => identities.id),
    kind: text().$type<'purchase' | 'refund'>().notNull(),
    /** Signed: a refund is negative. */
    amountFen: integer('amount_fen').notNull(),
    credits: integer().notNull(),
    isForever: boolean('is_forever').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [uniqueIndex('grants_once').on(table.orderId, table.kind), index('grants_identity').on(table.identityId)],
)

/** Money to be paid back, until the provider has said yes. */
export const refunds = pgTable('refunds', {
  id: text().primaryKey(),
  orderId: text('order_id')
    .notNull()
    .unique()
    .references(() => orders.id),
  amountFen: integer('amount_fen').notNull(),
  reason: text().notNull(),
  state: text().$type<'wanted' | 'done'>().notNull(),
  tries: integer().notNull().default(0),
  nextTryAt: moment('next_try_at'),
  createdAt: moment('created_at').notNull(),
})

/** Days whose bills were compared with the orders, and what differed. */
export const reconciliations = pgTable(
  'reconciliations',
  {
    method: text().$type<'alipay' | 'wechat'>().notNull(),
    day: text().notNull(),
    differences: jsonb().$type<readonly unknown[]>().notNull(),
    checkedAt: moment('checked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.method, table.day] })],
)

/** Payments at the sandbox's gateway, which is a provider to the rest of the server. */
export const sandboxPayments = pgTable(
  'sandbox_payments',
  {
    method: text().$type<'alipay' | 'wechat'>().notNull(),
    orderId: text('order_id').notNull(),
    /** In the address of its page; not to be guessed. */
    token: text().notNull().unique(),
    title: text().notNull(),
    amountFen: integer('amount_fen').notNull(),
    refundedFen: integer('refunded_fen').notNull().default(0),
    notifyUrl: text('notify_url').notNull(),
    state: text().$type<'new' | 'paid' | 'closed' | 'refunded'>().notNull().default('new'),
    transactionId: text('transaction_id'),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    paidAt: moment('paid_at'),
    nextNoticeAt: moment('next_notice_at'),
    notices: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.method, table.orderId] })],
)

/** Invoices asked for. */
export const invoices = pgTable('invoices', {
  id: text().primaryKey(),
  orderId: text('order_id')
    .notNull()
    .unique()
    .references(() => orders.id),
  identityId: text('identity_id')
    .notNull()
    .references(() => identities.id),
  kind: text().$type<'personal' | 'company'>().notNull(),
  company: text().notNull(),
  taxId: text('tax_id').notNull(),
  email: text().notNull(),
  state: text().$type<'submitted' | 'issued' | 'rejected'>().notNull(),
  askedAt: moment('asked_at').notNull(),
})
