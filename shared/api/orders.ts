import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** What the status of a paid order says, and of any other. */
export const PAID = '支付完成'
/** See PAID. */
export const UNPAID = '未支付'

const address = z.string().check(z.maxLength(2048))

/** An order by the page: its own number for it (milliseconds and 1000 to 9999), who it is for, the plan's code, where the visit came from. */
const order = z.object({
  orderId: z.string().check(z.regex(/^\d{13}[1-9]\d{3}$/)),
  loginPhone: z.string().check(z.maxLength(100)),
  loginID: z.string().check(z.maxLength(100)),
  price: z.string().check(z.maxLength(40)),
  bdUrl: address,
  url360: address,
})

/** Orders a plan by Alipay; `result` is the address of the page on which it is paid. The same order again gives the same page. */
export const orderByAlipay = defineCall({
  method: 'POST',
  path: '/order/alipay',
  body: order,
  reply: z.object({ result: z.string() }),
})

/** Orders a plan by WeChat Pay; what the code to be scanned says. The same order again gives the same code. */
export const orderByWechat = defineCall({ method: 'POST', path: '/order/wxpay', body: order, reply: z.string() })

const byNumber = z.object({ orderId: z.string().check(z.maxLength(40)) })

/** Whether an order of the caller is paid: `PAID` or `UNPAID`, the latter also for an order that is another's or nobody's. */
export const orderStatus = defineCall({ method: 'POST', path: '/order/orderstatus', body: byNumber, reply: z.string() })

/** The same, having asked the provider this moment. */
export const checkOrder = defineCall({ method: 'POST', path: '/order/check', body: byNumber, reply: z.string() })

/** The caller's paid orders, newest first, for invoices. `amount` in yuan; `orderId` is the merchant's number. */
export const paidOrders = defineCall({
  method: 'GET',
  path: '/order/mine',
  body: z.undefined(),
  reply: z.array(
    z.object({
      orderId: z.string(),
      plan: z.string(),
      amount: z.number(),
      paidAt: z.string(),
      invoice: z.optional(z.enum(['submitted', 'issued', 'rejected'])),
    }),
  ),
})

/** Asks for an invoice of a paid order. `taxId` only for a company. Fails with `order.not-found`, `invoice.exists`, `options.invalid`. */
export const askInvoice = defineCall({
  method: 'POST',
  path: '/invoices',
  body: z.object({
    orderId: z.string().check(z.maxLength(40)),
    kind: z.enum(['personal', 'company']),
    company: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
    taxId: z.string().check(z.trim(), z.maxLength(30)),
    email: z.string().check(z.trim(), z.maxLength(200)),
  }),
  reply: z.object({}),
})

/** Tells the 360 channel of a download, once a visit. */
export const tellOcpc360 = defineCall({
  method: 'POST',
  path: '/ocpc/ocpc360',
  body: z.object({ url360: address, event: z.string().check(z.maxLength(40)) }),
  reply: z.object({}),
})
