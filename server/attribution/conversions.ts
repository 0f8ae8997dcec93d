import { createHash } from 'node:crypto'
import type { Database } from '../database/open.ts'
import type { Order } from '../database/schema-billing.ts'
import { conversions } from '../database/schema-operators.ts'
import { yuan } from '#shared/plans'

type PaidOrder = Pick<Order, 'id' | 'plan' | 'amountFen' | 'bdUrl' | 'url360'>

/** The click an address of the 360 channel names. Whatever else the text is, it is neither read nor fetched. */
export const clickIdOf = (text: string): string | undefined => /[?&]qhclickid=([\w-]{1,256})(?=[&#]|$)/.exec(text)?.[1]

const idOf = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64url')

/** Has the 360 channel told of a download, once for a session and a click. */
export async function recordDownload(
  db: Database,
  { sessionHash, clickId, event }: { sessionHash: string; clickId: string; event: string },
  now: number,
): Promise<void> {
  await record(db, { id: idOf('360-download', sessionHash, clickId), kind: '360-download', payload: { qhclickid: clickId, event } }, now)
}

/** Has the advertiser told of a purchase that no advertisement names, in the transaction that credits it; neither whose it is nor which. */
export async function recordPurchase(tx: Database, order: PaidOrder, now: number): Promise<void> {
  if (order.bdUrl !== '' || order.url360 !== '') return
  const payload = { event: 'purchase', plan: order.plan, price: yuan(order.amountFen) }
  await record(tx, { id: idOf('purchase', order.id), kind: 'purchase', payload }, now)
}

async function record(db: Database, row: Pick<typeof conversions.$inferInsert, 'id' | 'kind' | 'payload'>, now: number): Promise<void> {
  const at = new Date(now)
  await db
    .insert(conversions)
    .values({ ...row, state: 'wanted', nextTryAt: at, createdAt: at })
    .onConflictDoNothing()
}
