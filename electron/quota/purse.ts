import { endOf, leftOf, type QuotaState, type Use } from './state.ts'
import { readPass } from './pass.ts'
import type { TellerSettings } from './teller.ts'
import type { Charge } from '../quota.ts'
import { UNSETTLED_DAYS, type PassClaims } from '#shared/api/local-jobs'
import { DAY_MS } from '#shared/china-time'
import type { OfflineState } from '#shared/desktop'
import { AppError } from '#shared/errors/app-error'
import type { Cost } from '#shared/tools/define'

/** What pays while the server is out of reach: the kept pass, less what was used of it since it was issued. */
export class OfflinePurse {
  readonly #settings: Omit<TellerSettings, 'transport'>

  constructor(settings: Omit<TellerSettings, 'transport'>) {
    this.#settings = settings
  }

  /** How long and how much it pays for. */
  get state(): OfflineState {
    const claims = this.#claims()
    if (!claims) return null
    const end = this.#endOf(claims)
    const left = leftOf(claims.credits, claims.identity, this.#kept.uses)
    if (end <= this.#settings.now() || left <= 0) return null
    return { until: new Date(end).toISOString(), left: Number.isFinite(left) ? left : null }
  }

  /** Whether it pays for all of some jobs. */
  paysFor(charges: readonly Charge[]): boolean {
    return this.state !== null && this.#affordable(charges).length === charges.length
  }

  /**
   * Takes the cost of jobs, of the first ones as far as it goes, once however often it is asked; their ids. Throws `offline.guest` where there
   * is no pass of who is signed in, `offline.over` where its time or its pictures are used up.
   */
  async use(cost: Cost, charges: readonly Charge[]): Promise<ReadonlySet<string>> {
    const claims = this.#claims()
    const { pass, uses, passes } = this.#kept
    if (!claims || !pass) throw new AppError('offline.guest', {})
    if (cost === 'free') return new Set(charges.map(({ jobId }) => jobId))
    const now = this.#settings.now()
    const paid = this.#endOf(claims) > now ? this.#affordable(charges) : []
    if (paid.length === 0) throw new AppError('offline.over', {})
    const known = new Set(uses.map(({ id }) => id))
    const { identity, serial } = claims
    const fresh = paid
      .filter(({ jobId }) => !known.has(jobId))
      .map(({ jobId, units }): Use => ({ id: jobId, units, cost, identity, serial, isDone: false, at: now }))
    await this.change({ ...this.#kept, uses: [...uses, ...fresh], passes: { ...passes, [serial]: pass.pass } })
    return new Set(paid.map(({ jobId }) => jobId))
  }

  /** Drops the pass. */
  async drop(): Promise<void> {
    const { pass, ...rest } = this.#kept
    if (pass) await this.change(rest)
  }

  /** Drops the pass of somebody else than is signed in, and counts as done what was begun offline long ago: nobody has heard of its end. */
  async dropOld(): Promise<void> {
    const who = this.#settings.who()
    if (who && this.#kept.pass?.session !== who.session) await this.drop()
    const since = this.#settings.now() - UNSETTLED_DAYS * DAY_MS
    const { uses } = this.#kept
    if (!uses.some(({ at, isDone }) => !isDone && at < since)) return
    await this.change({ ...this.#kept, uses: uses.map((one) => (one.at < since ? { ...one, isDone: true } : one)) })
  }

  /** Changes what is kept, and notes how late it is: a clock set back is noticed by that. */
  change(state: QuotaState): Promise<void> {
    if (state === this.#kept) return this.#settings.file.change(state)
    return this.#settings.file.change({ ...state, latest: Math.max(state.latest, this.#settings.now()) })
  }

  get #kept(): QuotaState {
    return this.#settings.file.state
  }

  #affordable(charges: readonly Charge[]): readonly Charge[] {
    const claims = this.#claims()
    if (!claims) return []
    const { uses } = this.#kept
    const known = new Set(uses.map(({ id }) => id))
    let left = leftOf(claims.credits, claims.identity, uses)
    const end = charges.findIndex(({ jobId, units }) => !known.has(jobId) && (left -= units) < 0)
    return end < 0 ? charges : charges.slice(0, end)
  }

  /** What the kept pass says, if it is of this computer and of who is signed in. */
  #claims(): PassClaims | undefined {
    const { pass, key } = this.#kept
    const { who, pinnedKey } = this.#settings
    const current = who()
    if (!pass || pass.session !== current?.session) return undefined
    const claims = readPass(pass.pass, pinnedKey ?? key ?? '')
    return claims?.device === current.device ? claims : undefined
  }

  #endOf({ issued, until }: PassClaims): number {
    const { pass, latest } = this.#kept
    return pass ? endOf(pass, until - issued, latest, this.#settings.now()) : -Infinity
  }
}
