import { alipayNotice } from './alipay.ts'
import type { Gateway } from './gateway.ts'
import { endNotices, takeNotices, type SandboxPayment } from './payments.ts'
import { wechatNotice } from './wechat.ts'

/** Between one try and the next: the first of WeChat's, then as far apart as trying things out needs. */
const AGAIN_MS = 15_000
const MOST = 15
const DEADLINE_MS = 5_000

async function hasHeard(gateway: Gateway, payment: SandboxPayment): Promise<boolean> {
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const message = payment.method === 'alipay' ? { body: alipayNotice(gateway, payment), headers: form } : wechatNotice(gateway, payment)
  const response = await fetch(payment.notifyUrl, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...message,
  })
  const text = await response.text()
  return payment.method === 'alipay' ? text === 'success' : response.ok
}

/** Where the gateway's payments are; the gateway itself is opened when there is something to tell. */
export type GatewayParts = Pick<Gateway, 'db' | 'now'> & { readonly open: () => Promise<Gateway> }

/** Tells the merchant of payments it has not heard of yet; again and again until it has. */
export async function deliverNotices({ db, now, open }: GatewayParts): Promise<void> {
  const due = await takeNotices(db, now() + AGAIN_MS, now())
  await Promise.all(
    due.map(async (payment) => {
      // A merchant who is away is told later, as one who refuses.
      const isHeard = await hasHeard(await open(), payment).catch(() => false)
      if (isHeard || payment.notices >= MOST) await endNotices(db, payment)
    }),
  )
}
