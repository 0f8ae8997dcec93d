import { followDue } from './follow.ts'
import { reconcileDue } from './reconcile.ts'
import { payBackDue } from './refunds.ts'
import { deliverNotices } from './sandbox/notices.ts'
import type { Till } from './till.ts'

const LOOK_EVERY_MS = 1_000
const RECONCILE_EVERY_MS = 10 * 60_000

/** Does a thing now and then, one at a time; what fails is logged and tried again at the next turn. */
function repeat(till: Till, everyMs: number, what: (till: Till) => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const turn = (): void => {
    running ??= what(till)
      .catch((error: unknown) => till.log.error({ err: error }, `${what.name} failed`))
      .finally(() => (running = undefined))
  }
  const timer = setInterval(turn, everyMs)
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function tellMerchant({ db, now, sandbox }: Till): Promise<void> {
  if (sandbox) await deliverNotices({ db, now, open: sandbox })
}

/** Begins to look after money: lost notices, codes that run out, refunds, bills. Gives what ends it. */
export function startRounds(till: Till): () => Promise<void> {
  const ends = [
    repeat(till, LOOK_EVERY_MS, tellMerchant),
    repeat(till, LOOK_EVERY_MS, followDue),
    repeat(till, LOOK_EVERY_MS, payBackDue),
    repeat(till, RECONCILE_EVERY_MS, reconcileDue),
  ]
  return async () => void (await Promise.all(ends.map((end) => end())))
}
