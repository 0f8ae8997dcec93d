import type { Till } from './checkout.ts'
import { isWechatCode, payPage } from './pay-address.ts'
import { isClient } from '../platform/desktop.ts'
import { transport } from '../platform/http.ts'
import { entered, sessionAtom } from '../state/session.ts'
import { store } from '../state/store.ts'
import { checkOrder, orderByAlipay, orderByWechat, orderStatus, PAID } from '#shared/api/orders'
import { CONTROL_MS, send } from '#shared/api/send'
import { AppError } from '#shared/errors/app-error'

/** Another question comes soon. */
const POLL_DEADLINE_MS = 10_000

/** The server as one identity's till. Nothing is ordered before the server knows who pays, or for anybody else. */
export const tillOf = (identity: string): Till => ({
  order: async (method, orderId, plan) => {
    await entered()
    const { loginPhone, loginID, bdUrl, url360 } = store.get(sessionAtom)
    if (loginID !== identity) throw new AppError('session.expired', {})
    const body = { orderId, loginPhone, loginID, price: plan, bdUrl, url360 }
    const code =
      method === 'wechat'
        ? await send(transport, orderByWechat, body, { deadlineMs: CONTROL_MS })
        : payPage((await send(transport, orderByAlipay, body, { deadlineMs: CONTROL_MS })).result, location.origin, isClient)
    if (code === undefined || (method === 'wechat' && !isWechatCode(code))) throw new AppError('payment.code-failed', {})
    return code
  },
  isPaid: async (orderId) => (await send(transport, orderStatus, { orderId }, { deadlineMs: POLL_DEADLINE_MS })) === PAID,
  isPaidNow: async (orderId) => (await send(transport, checkOrder, { orderId }, { deadlineMs: CONTROL_MS })) === PAID,
})
