import { createHash } from 'node:crypto'
import { isPayable, type SandboxPayment } from './payments.ts'
import { decimalYuan } from '#shared/plans'

// Legible in a frame of 200 px.
const STYLE = `
:root { color-scheme: light }
* { box-sizing: border-box; margin: 0 }
body { font: 14px/1.4 system-ui, sans-serif; color: #1a1a1a; background: #fff; padding: 8px; text-align: center; overflow-wrap: anywhere }
main { max-width: 320px; margin: 0 auto }
@media (min-width: 480px) { main { margin-top: 15vh } }
h1 { font-size: inherit; display: block; padding: 6px; color: #7a2e00; background: #fff3e0; border: 1px solid #c75300; border-radius: 4px }
p { margin-top: 8px }
b { font-size: 20px }
button { width: 100%; min-height: 40px; margin-top: 10px; font: inherit; font-weight: 600; color: #fff; background: #0b57d0; border: 0; border-radius: 6px }
button:focus-visible { outline: 3px solid #1a1a1a; outline-offset: 2px }
`

const hash = createHash('sha256').update(STYLE).digest('base64')

/** What the page may do: show itself, in this site's frames and the client's, and send its one form. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'self' app:`,
} as const

/** A text as the content of an HTML element or of a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const frame = (body: string): string => `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>沙箱支付</title><style>${STYLE}</style></head>
<body><main><h1>沙箱支付，不会真的付款</h1>${body}</main></body></html>
`

function stateOf(payment: SandboxPayment, now: number): string {
  if (payment.state === 'paid') return '<p role="status"><b>已支付</b></p><p>请回到轻图查看结果。</p>'
  if (payment.state === 'refunded') return '<p role="status"><b>已退款</b></p>'
  if (!isPayable(payment, now)) return '<p role="status"><b>已关闭</b></p><p>二维码已过期，请返回刷新。</p>'
  return `<form method="post"><button>确认支付</button></form>`
}

/** The page on which the sandbox's payer presses a button. */
export const paymentPage = (payment: SandboxPayment, now: number): string =>
  frame(`<p>${escaped(payment.title)}</p><p><b>¥${decimalYuan(payment.amountFen)}</b></p>${stateOf(payment, now)}`)

/** The page of an order the gateway would not take. */
export const refusedPage = (reason: string): string => frame(`<p role="alert">沙箱拒绝了该订单：${escaped(reason)}</p>`)
