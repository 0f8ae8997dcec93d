import { followDue } from './follow.ts'
import { reconcileDue } from './reconcile.ts'
import { payBackDue } from './refunds.ts'
import { deliverNotices } from './sandbox/notices.ts'
import type { Till } from './till.ts'
import { begins } from '../chores.ts'
import { repeat } from '../repeat.ts'

const LOOK_EVERY_MS = 1_000
const RECONCILE_EVERY_MS = 10 * 60_000

async function tellMerchant({ db, now, sandbox }: Till): Promise<void> {
  if (sandbox) await deliverNotices({ db, now, open: sandbox })
}

async function compareBills(till: Till): Promise<void> {
  if (await begins(till.db, 'reconcile', RECONCILE_EVERY_MS)) await reconcileDue(till)
}

/** Begins to look after money: lost notices, codes that run out, refunds, bills. Gives what ends it. */
export function startRounds(till: Till): () => Promise<void> {
  const ends = [
    repeat(LOOK_EVERY_MS, tellMerchant, till),
    repeat(LOOK_EVERY_MS, followDue, till),
    repeat(LOOK_EVERY_MS, payBackDue, till),
    repeat(RECONCILE_EVERY_MS, compareBills, till),
  ]
  return async () => void (await Promise.all(ends.map((end) => end())))
}
