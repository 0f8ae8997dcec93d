import { z } from 'zod/mini'

/** A clock set back by less than this was put right, not held up. */
const SLACK_MS = 10 * 60_000

const use = z.object({
  id: z.string(),
  units: z.number(),
  cost: z.enum(['image', 'ai', 'document']),
  /** Whose credits it takes, and under which pass. */
  identity: z.string(),
  serial: z.string(),
  /** Until its job has ended it is not to be told. */
  isDone: z.boolean(),
  at: z.number(),
})

const keptPass = z.object({
  pass: z.string(),
  /** Of which session it is (a hash), and when it came by this computer's clock. */
  session: z.string(),
  received: z.number(),
})

/** All that is kept between starts: the pass, and what the server has not heard yet. */
export const quotaState = z.object({
  /** The latest time this computer's clock has shown. */
  latest: z.number(),
  /** The key of the server's passes. */
  key: z.optional(z.string()),
  pass: z.optional(keptPass),
  /** What was begun or done without a network. */
  uses: z.array(use),
  /** The passes of uses, by their serial numbers: who reports uses shows the pass. */
  passes: z.record(z.string(), z.string()),
  settlements: z.array(z.object({ id: z.string(), settlement: z.enum(['committed', 'released']) })),
})

/** All that is kept between starts. */
export type QuotaState = z.infer<typeof quotaState>
/** A job whose cost was taken from a pass. */
export type Use = QuotaState['uses'][number]
/** A pass as it is kept. */
export type KeptPass = z.infer<typeof keptPass>

/** What there is at the first start. */
export const nothingKept: QuotaState = { latest: 0, uses: [], passes: {}, settlements: [] }

/** The state without passes that nothing refers to. */
export function tidied(state: QuotaState): QuotaState {
  const serials = new Set(state.uses.map(({ serial }) => serial))
  return { ...state, passes: Object.fromEntries(Object.entries(state.passes).filter(([serial]) => serials.has(serial))) }
}

/** What is left of a pass's credits: what this person used offline is not in them until the server has heard of it. */
export const leftOf = (credits: number | null, identity: string, uses: readonly Use[]): number =>
  credits === null ? Infinity : credits - uses.filter((one) => one.identity === identity).reduce((sum, { units }) => sum + units, 0)

/**
 * When a pass of some duration ends by this computer's clock; in the past where the clock was set back. Only how much time has gone by counts, so a
 * clock that is wrong, but goes, does no harm.
 */
export const endOf = ({ received }: KeptPass, lastsMs: number, latest: number, now: number): number =>
  now < latest - SLACK_MS ? -Infinity : received + lastsMs

/** The state after jobs have ended. */
export function settled(state: QuotaState, ids: readonly string[], settlement: 'committed' | 'released'): QuotaState {
  const ending = new Set(ids)
  const isEnding = ({ id }: { readonly id: string }): boolean => ending.has(id)
  const offline = new Map(state.uses.filter(isEnding).map((one) => [one.id, one.isDone]))
  const told = new Set(state.settlements.filter(isEnding).map(({ id }) => id))
  if (settlement === 'committed') for (const id of offline.keys()) told.add(id)
  // Told also of what was used offline: the server may have set it aside, and only its answer been lost.
  const untold = ids.filter((id) => !told.has(id) && offline.get(id) !== true)
  const isOpen = [...offline.values()].includes(false)
  if (untold.length === 0 && !isOpen) return state
  const uses = isOpen
    ? settlement === 'committed'
      ? state.uses.map((one) => (isEnding(one) ? { ...one, isDone: true } : one))
      : state.uses.filter((one) => one.isDone || !isEnding(one))
    : state.uses
  return { ...state, uses, settlements: [...state.settlements, ...untold.map((id) => ({ id, settlement }))] }
}
