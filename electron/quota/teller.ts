import type { KeptPass, QuotaState, Use } from './state.ts'
import type { StateFile } from './state-file.ts'
import { readPass } from './pass.ts'
import { MAX_LOCAL_JOBS, readPassKey, reportOffline, settleLocal } from '#shared/api/local-jobs'
import { CONTROL_MS, send, type Transport } from '#shared/api/send'
import { AppError } from '#shared/errors/app-error'

/** Who is signed in, by what the client keeps: the computer's id (the first part of its token), and the session's cookie. */
export interface Who {
  readonly device: string
  readonly session: string
}

/** What telling the server takes. */
export interface TellerSettings {
  readonly file: StateFile
  readonly transport: Transport
  readonly now: () => number
  /** Whose session the calls go with now, `session` hashed. */
  readonly who: () => Who | undefined
  /** The key this client was built for; without it the server's own word counts. */
  readonly pinnedKey: string | undefined
}

/** Tells the server what it has not heard yet, and keeps the pass it answers with. One call at a time: a later pass must not come first. */
export class Teller {
  readonly #settings: TellerSettings

  constructor(settings: TellerSettings) {
    this.#settings = settings
  }

  get #state(): QuotaState {
    return this.#settings.file.state
  }

  /** Whether there is something the server has not heard. */
  get hasNews(): boolean {
    return this.#state.settlements.length > 0 || this.#state.uses.some(({ isDone }) => isDone)
  }

  /** Tells all of it. Throws what keeps it from doing so; what was told by then is not told again. */
  async tell(): Promise<void> {
    await this.tellUses()
    while (this.#state.settlements.length > 0) await this.#tellSettlements()
  }

  /** Tells what was done offline: until then the server believes that there is more left. */
  async tellUses(): Promise<void> {
    for (;;) {
      const first = this.#state.uses.find(({ isDone }) => isDone)
      if (!first) return
      const some = this.#state.uses.filter(({ isDone, serial }) => isDone && serial === first.serial)
      await this.#report(first.serial, some.slice(0, MAX_LOCAL_JOBS))
    }
  }

  async #report(serial: string, uses: readonly Use[]): Promise<void> {
    const told = new Set(uses.map(({ id }) => id))
    const without = (): QuotaState => ({ ...this.#state, uses: this.#state.uses.filter(({ id }) => !told.has(id)) })
    const body = { pass: this.#state.passes[serial] ?? '', uses: uses.map(({ id, units, cost }) => ({ id, units, cost })) }
    await this.#say((transport) => send(transport, reportOffline, body, { deadlineMs: CONTROL_MS }), without)
  }

  async #tellSettlements(): Promise<void> {
    const some = this.#state.settlements.slice(0, MAX_LOCAL_JOBS)
    const told = new Set(some.map(({ id }) => id))
    const without = (): QuotaState => ({ ...this.#state, settlements: this.#state.settlements.filter(({ id }) => !told.has(id)) })
    const idsOf = (which: 'committed' | 'released'): string[] => some.filter(({ settlement }) => settlement === which).map(({ id }) => id)
    const body = { committed: idsOf('committed'), released: idsOf('released') }
    await this.#say((transport) => send(transport, settleLocal, body, { deadlineMs: CONTROL_MS }), without)
  }

  /** Says something, and notes in one step that it is said and what the pass is now. What can never be said is dropped. */
  async #say(call: (transport: Transport) => Promise<{ readonly pass?: string | undefined }>, without: () => QuotaState): Promise<void> {
    const before = this.#settings.who()
    try {
      const { pass } = await call(this.#settings.transport)
      await this.keep(pass, before, without)
    } catch (error) {
      // Of a server that was set up anew, or another computer: asked again it would say the same.
      if (!(error instanceof AppError && error.code === 'request.invalid')) throw error
      await this.#settings.file.change(without())
    }
  }

  /** Keeps the pass of an answer to a call that was made as somebody, along with another change. */
  async keep(pass: string | undefined, asked: Who | undefined, change: () => QuotaState = () => this.#state): Promise<void> {
    const key = pass === undefined ? undefined : await this.#keyOf(pass)
    const { file, now, who } = this.#settings
    const current = who()
    // Somebody else has signed in meanwhile, whose pass it is not.
    const isSame = asked !== undefined && current?.session === asked.session && current.device === asked.device
    const { pass: _old, ...rest } = change()
    const claims = pass !== undefined && key !== undefined ? readPass(pass, key) : undefined
    const isOurs = isSame && claims?.device === asked.device
    const kept: KeptPass | undefined = isOurs && pass !== undefined ? { pass, session: asked.session, received: now() } : undefined
    await file.change({ ...rest, latest: now(), ...(key !== undefined && { key }), ...(kept && { pass: kept }) })
  }

  /** The key that signed a pass: the one this client was built for, the one that is known, or what the server says now. */
  async #keyOf(pass: string): Promise<string | undefined> {
    const { pinnedKey, transport } = this.#settings
    if (pinnedKey !== undefined) return pinnedKey
    const { key } = this.#state
    if (key !== undefined && readPass(pass, key)) return key
    // Without the key the pass can't be kept; what the call itself did is done.
    return (await send(transport, readPassKey, undefined, { deadlineMs: CONTROL_MS }).catch(() => undefined))?.key
  }
}
