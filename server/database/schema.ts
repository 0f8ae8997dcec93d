import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Head, Note, Part } from '#engine/processor'
import type { WireError } from '#shared/errors/app-error'
import type { JobState } from '#shared/api/jobs'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** A person or guest. The account id is a bearer credential: an HMAC to find it by, a ciphertext to show it again. */
export const identities = pgTable('identities', {
  id: text().primaryKey(),
  accountIndex: text('account_index').notNull().unique(),
  accountCipher: text('account_cipher').notNull(),
  username: text().notNull(),
  avatar: text().notNull().default(''),
  /** HMAC of the person's id at WeChat, where they sign in by it. */
  wechatIndex: text('wechat_index').unique(),
  /** Since when something paid for is theirs; absent for guests, and again once everything was refunded. */
  memberSince: moment('member_since'),
  isForever: boolean('is_forever').notNull().default(false),
  /** Bought pictures left: what was granted less what jobs hold or took. */
  credits: integer().notNull().default(0),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** A computer, known by its signed token. */
export const devices = pgTable('devices', {
  id: text().primaryKey(),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** A signed-in browser; only the SHA-256 of its cookie is kept. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    identityId: text('identity_id')
      .notNull()
      .references(() => identities.id),
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id),
    /** The guest this browser was before it signed in, and is again after. */
    guestId: text('guest_id').references(() => identities.id),
    /** Why it is over before its time: its computer was signed out for another. Kept to say so. */
    end: text().$type<'signed-out'>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('sessions_identity').on(table.identityId),
    index('sessions_device').on(table.deviceId),
    index('sessions_guest')
      .on(table.guestId)
      .where(sql`guest_id is not null`),
  ],
)

/** A computer on which a member is signed in: at most two are live at a time. */
export const slots = pgTable(
  'slots',
  {
    identityId: text('identity_id')
      .notNull()
      .references(() => identities.id),
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id),
    name: text().notNull(),
    kind: text().$type<'web' | 'desktop'>().notNull(),
    takenAt: moment('taken_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.identityId, table.deviceId] })],
)

/** Computers signed out for another, to count them. */
export const swaps = pgTable(
  'swaps',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    identityId: text('identity_id')
      .notNull()
      .references(() => identities.id),
    at: moment('at').notNull(),
  },
  (table) => [index('swaps_identity').on(table.identityId, table.at)],
)

/** What works once and for a short time: sign-ins under way at WeChat, computers to be shared. Only the SHA-256 of the ticket is kept. */
export const onceTickets = pgTable('once_tickets', {
  hash: text().primaryKey(),
  purpose: text().$type<'wxlogin-state' | 'wxlogin' | 'device'>().notNull(),
  data: jsonb().$type<unknown>().notNull(),
  expiresAt: moment('expires_at').notNull(),
})

/** An uploaded file of a job. */
export interface StoredInput {
  readonly key: string
  readonly name: string
  readonly path?: string
  readonly place?: number
  readonly bytes: number
  /** The upload's version that was checked; absent in jobs from before it was kept. */
  readonly etag?: string
  /** The file that options call for beside the input; shared by the jobs of a call. */
  readonly isAttachment?: true
}

/** A result in the object storage. */
export interface StoredOutput {
  readonly key: string
  readonly name: string
  readonly format: string
  readonly bytes: number
  readonly width?: number
  readonly height?: number
  readonly part?: Part
  /** Of a part that other jobs may use: what was found (`findingOf`), of a matte what it tells from the ground. */
  readonly subject?: string
  readonly head?: Head
}

/** Grows with every change of a job, so that a reader can ask for what came after a number. */
export const jobChanges = pgSequence('job_changes')

/** The jobs and their queue in one: a running job is leased to a worker, which renews the lease or loses the job. */
export const jobs = pgTable(
  'jobs',
  {
    id: text().primaryKey(),
    position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    identityId: text('identity_id')
      .notNull()
      .references(() => identities.id),
    /** The call that made it, and its place in that call: a call repeated makes nothing new. */
    requestKey: text('request_key').notNull(),
    ordinal: integer().notNull(),
    tool: text().notNull(),
    options: jsonb().$type<unknown>().notNull(),
    inputs: jsonb().$type<readonly StoredInput[]>().notNull(),
    /** Which of the engine's children it waits for: those that hold models, those for documents, or the others. */
    lane: text().$type<'usual' | 'ai' | 'document'>().notNull().default('usual'),
    /** When it is to be taken among those of its lane: see `jobs/turns.ts`. */
    turn: bigint({ mode: 'number' }).notNull().default(0),
    /** Within a turn members go first. */
    isGuest: boolean('is_guest').notNull().default(false),
    state: text().$type<JobState>().notNull(),
    progress: real().notNull().default(0),
    step: text(),
    outputs: jsonb().$type<readonly StoredOutput[]>().notNull().default([]),
    note: jsonb().$type<Note>(),
    error: jsonb().$type<WireError>(),
    /** How often a process crashed under it. */
    crashes: integer().notNull().default(0),
    /** How often its process was killed or the server that ran it went away. */
    interruptions: integer().notNull().default(0),
    /** Of the taking that runs it now, so that a worker which lost the job can change nothing. */
    lease: text(),
    leaseUntil: moment('lease_until'),
    createdAt: moment('created_at').notNull().defaultNow(),
    finishedAt: moment('finished_at'),
    expiresAt: moment('expires_at'),
    /** Whether the files are gone: set after they were removed, so that a removal cut short is taken up again. */
    isCleared: boolean('is_cleared').notNull().default(false),
    changed: bigint({ mode: 'number' })
      .notNull()
      .default(sql`nextval('job_changes')`),
  },
  (table) => [
    uniqueIndex('jobs_request').on(table.identityId, table.requestKey, table.ordinal),
    index('jobs_changed').on(table.identityId, table.changed),
    index('jobs_active')
      .on(table.state, table.position)
      .where(sql`state in ('queued', 'running')`),
    index('jobs_turns')
      .on(table.lane, table.turn, table.isGuest, table.position)
      .where(sql`state = 'queued'`),
    index('jobs_waiting')
      .on(table.identityId, table.lane, table.turn)
      .where(sql`state = 'queued'`),
    index('jobs_expiry').on(table.expiresAt),
  ],
)

/** Addresses for one download each. */
export const tickets = pgTable('tickets', {
  id: text().primaryKey(),
  identityId: text('identity_id')
    .notNull()
    .references(() => identities.id),
  jobIds: jsonb('job_ids').$type<readonly string[]>().notNull(),
  expiresAt: moment('expires_at').notNull(),
})

/** Tries at what guards an account, from one address: counted here, so that every server counts the same. Over when its time is. */
export const attempts = pgTable('attempts', {
  /** What was tried and an HMAC of the address. */
  key: text().primaryKey(),
  count: integer().notNull(),
  until: moment('until').notNull(),
})

/** How far each lane is: the latest turn of which a job was taken. */
export const lanes = pgTable('lanes', {
  lane: text().$type<(typeof jobs.$inferSelect)['lane']>().primaryKey(),
  turn: bigint({ mode: 'number' }).notNull(),
})

/** The processes that take jobs, each known by a row that it renews as long as it lives. */
export const workers = pgTable('workers', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  /** Jobs at a time in each lane. */
  sizes: jsonb().$type<Readonly<Record<(typeof jobs.$inferSelect)['lane'], number>>>().notNull(),
  startedAt: moment('started_at').notNull().defaultNow(),
  beatAt: moment('beat_at').notNull(),
})

/** When what is done now and then was begun last, by whichever process. */
export const chores = pgTable('chores', {
  name: text().primaryKey(),
  begunAt: moment('begun_at').notNull(),
})
