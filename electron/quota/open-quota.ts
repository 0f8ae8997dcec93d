import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pricedOptions } from './priced.ts'
import { OfflinePurse } from './purse.ts'
import { settled } from './state.ts'
import { StateFile } from './state-file.ts'
import type { Seal } from '../vault.ts'
import { Teller, type Who } from './teller.ts'
import type { Log } from '../log.ts'
import type { Charge, Quota, Settlement } from '../quota.ts'
import { MAX_LOCAL_JOBS, readPass, reserveLocal } from '#shared/api/local-jobs'
import { CONTROL_MS, send, type Transport } from '#shared/api/send'
import type { OfflineState } from '#shared/desktop'
import { AppError } from '#shared/errors/app-error'
import type { Cost } from '#shared/tools/define'
import { costOf, type ToolId } from '#shared/tools/index'

/** After a call without an answer, members don't wait for the next one to fail. */
const AWAY_MS = 20_000
const RENEW_MS = 6 * 3_600_000
const LOOK_MS = 10 * 60_000
/** Before the server is told again what it could not be told; then as the last. */
const PAUSES_MS = [2_000, 10_000, 60_000, 5 * 60_000] as const
/** Jobs that end one after the other are told together. */
const GATHER_MS = 500
/** What says that the server is out of reach, or that nobody knows what it did. */
const AWAY: ReadonlySet<string> = new Set(['network.offline', 'service.unavailable', 'internal'])

export type { Who }

/** What quota is opened with. */
export interface QuotaSettings {
  /** The client's own folder. */
  readonly folder: string
  /** Makes calls of the API with the session and the computer's token. */
  readonly transport: Transport
  /** Who is signed in; undefined before the first answer of a server. */
  readonly who: () => Who | undefined
  /** Absent where the system keeps no secrets: then the pass ends with the client. */
  readonly seal: Seal | undefined
  /** The key of passes this client was built for. */
  readonly pinnedKey?: string | undefined
  readonly now: () => number
  readonly log: Log
}

/** Quota with what belongs to the client itself. */
export interface OpenQuota extends Quota {
  /** Asks for a new pass and tells what is to be told: to be called once somebody signed in or out, or has paid. */
  renew(): Promise<void>
  /** How long and how often the client may work without a network. */
  offline(): OfflineState
  /** Hears of changes of `offline` until the returned function is called. */
  listen(hear: (state: OfflineState) => void): () => void
  close(): Promise<void>
}

/** Opens quota on what was kept, and begins to tell the server what it has not heard. */
export async function openQuota(settings: QuotaSettings): Promise<OpenQuota> {
  await mkdir(settings.folder, { recursive: true })
  const file = await StateFile.open(join(settings.folder, 'quota'), settings.seal, settings.log)
  return new LocalQuota(settings, file)
}

class LocalQuota implements OpenQuota {
  readonly #settings: QuotaSettings
  readonly #file: StateFile
  readonly #teller: Teller
  readonly #purse: OfflinePurse
  readonly #listeners = new Set<(state: OfflineState) => void>()
  readonly #looking: NodeJS.Timeout
  /** One call at a time, in the order in which they were asked for. */
  #turn: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #awaySince: number | undefined
  #renewedAt = -Infinity
  #isClosed = false
  #said: string

  constructor(settings: QuotaSettings, file: StateFile) {
    this.#settings = settings
    this.#file = file
    const { transport, now, pinnedKey } = settings
    const kept = { file, now, pinnedKey, who: () => this.#who() }
    this.#teller = new Teller({ ...kept, transport })
    this.#purse = new OfflinePurse(kept)
    this.#said = JSON.stringify(this.offline())
    this.#looking = setInterval(() => void this.#look().catch(this.#failed), LOOK_MS)
    this.#looking.unref()
    void this.renew().catch(this.#failed)
  }

  reserve(tool: ToolId, options: unknown, charges: readonly Charge[]): Promise<ReadonlySet<string>> {
    return this.#inTurn(async () => {
      const paid = new Set<string>()
      for (let at = 0; at < charges.length; at += MAX_LOCAL_JOBS) {
        const some = charges.slice(at, at + MAX_LOCAL_JOBS)
        const now = await this.#reserveSome(tool, options, some)
        for (const id of now) paid.add(id)
        if (now.size < some.length) break
      }
      return paid
    })
  }

  async settle(jobId: string, settlement: Settlement): Promise<void> {
    await this.#purse.change(settled(this.#file.state, [jobId], settlement))
    this.#announce()
    this.#tellIn(GATHER_MS)
  }

  renew(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#purse.dropOld()
      await this.#tellAll(async () => {
        const asked = this.#who()
        if (!asked) return
        const { pass } = await send(this.#settings.transport, readPass, undefined, { deadlineMs: CONTROL_MS })
        await this.#teller.keep(pass, asked)
        this.#renewedAt = this.#settings.now()
      })
    })
  }

  offline(): OfflineState {
    return this.#purse.state
  }

  listen(hear: (state: OfflineState) => void): () => void {
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#looking)
    clearTimeout(this.#timer)
    await this.#file.close()
  }

  readonly #failed = (error: unknown): void => this.#settings.log('keeping quota failed', error)

  #who(): Who | undefined {
    const who = this.#settings.who()
    return who && { device: who.device, session: createHash('sha256').update(who.session).digest('base64url') }
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const acting = this.#turn.then(act)
    this.#turn = acting.catch(() => {})
    return acting
  }

  async #reserveSome(tool: ToolId, options: unknown, charges: readonly Charge[]): Promise<ReadonlySet<string>> {
    const cost = costOf(tool, options as Record<string, unknown>) // checked options are a record
    if (this.#isAway && this.#purse.paysFor(charges)) return this.#purse.use(cost, charges).finally(() => this.#announce())
    try {
      await this.#teller.tellUses()
      const asked = this.#who()
      const jobs = charges.map(({ jobId, units }) => ({ id: jobId, units }))
      const body = { tool, options: pricedOptions(tool, options), jobs }
      const { paid, pass } = await send(this.#settings.transport, reserveLocal, body, { deadlineMs: CONTROL_MS })
      await this.#teller.keep(pass, asked)
      this.#awaySince = undefined
      return new Set(paid)
    } catch (error) {
      await this.#noteFailure(error)
      if (!isAway(error)) throw error
      return await this.#payOffline(cost, charges)
    } finally {
      this.#announce()
    }
  }

  /** Pays for jobs from the pass, after nobody knows whether the server has set their cost aside: what the pass does not pay for goes back. */
  async #payOffline(cost: Cost, charges: readonly Charge[]): Promise<ReadonlySet<string>> {
    let paid: ReadonlySet<string> = new Set()
    try {
      paid = await this.#purse.use(cost, charges)
      return paid
    } finally {
      const unpaid = charges.map(({ jobId }) => jobId).filter((id) => !paid.has(id))
      await this.#purse.change(settled(this.#file.state, unpaid, 'released'))
      if (unpaid.length > 0) this.#tellIn(GATHER_MS)
    }
  }

  /** Tells the server everything and asks it something besides; what fails is tried again later. */
  async #tellAll(besides: () => Promise<unknown>): Promise<void> {
    try {
      await this.#teller.tell()
      await besides()
      this.#failures = 0
      this.#awaySince = undefined
    } catch (error) {
      await this.#noteFailure(error)
      const pause = PAUSES_MS[Math.min(this.#failures, PAUSES_MS.length - 1)] ?? RENEW_MS
      this.#failures += 1
      if (this.#teller.hasNews) this.#tellIn(Math.max(pause, waitOf(error)))
    } finally {
      this.#announce()
    }
  }

  #tellIn(pauseMs: number): void {
    if (this.#timer || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#inTurn(() => this.#tellAll(() => Promise.resolve())).catch(this.#failed)
    }, pauseMs)
    this.#timer.unref()
  }

  async #noteFailure(error: unknown): Promise<void> {
    if (isAway(error)) this.#awaySince = this.#settings.now()
    else this.#settings.log('the server refused what it was told of quota', error)
    if (error instanceof AppError && error.code === 'device.signed-out') await this.#purse.drop()
  }

  get #isAway(): boolean {
    const since = this.#settings.now() - (this.#awaySince ?? -Infinity)
    return since >= 0 && since < AWAY_MS
  }

  async #look(): Promise<void> {
    const now = this.#settings.now()
    // The latest time the clock has shown is kept, so that a clock set back is noticed.
    if (this.#file.state.pass) await this.#purse.change({ ...this.#file.state })
    this.#announce()
    if (now - this.#renewedAt >= RENEW_MS || now < this.#renewedAt) await this.renew()
  }

  #announce(): void {
    const state = this.offline()
    const said = JSON.stringify(state)
    if (said === this.#said) return
    this.#said = said
    for (const hear of this.#listeners) hear(state)
  }
}

const isAway = (error: unknown): boolean => error instanceof AppError && AWAY.has(error.code)
const isRateLimit = (error: unknown): error is AppError<'rate.limited'> => error instanceof AppError && error.code === 'rate.limited'
/** For how long a server that was asked too often wants to be left alone, in milliseconds. */
const waitOf = (error: unknown): number => (isRateLimit(error) ? error.data.seconds * 1000 : 0)
