import { expect, it } from 'vitest'
import { isWechatCode, payPage, sandboxPage } from '#renderer/payment/pay-address'

const HERE = 'https://qingtu.example'

it.each([
  ['weixin://wxpay/bizpayurl?pr=abc', true],
  ['weixin://wxpay/bizpayurl/up?pr=abc&groupid=00', true],
  ['weixin://wxpay/bizpayurlx?pr=abc', false],
  ['https://evil.example/?weixin://wxpay/bizpayurl', false],
  [' weixin://wxpay/bizpayurl?pr=abc', false],
  ['<img src=x onerror=alert(1)>', false],
  ['', false],
])('row 27: of WeChat codes %s is one: %s', (text, isOne) => {
  expect(isWechatCode(text)).toBe(isOne)
})

it.each([
  'https://openapi.alipay.com/gateway.do?out_trade_no=1&sign=%2B',
  'https://excashier.alipay.com/standard/auth.htm?payOrderId=1',
  `${HERE}/sandbox/pay/abc`,
])('frames %s', (address) => {
  expect(payPage(address, HERE)).toBe(address)
})

it('frames the sandbox by its path alone', () => {
  expect(payPage('/sandbox/pay/abc', HERE)).toBe(`${HERE}/sandbox/pay/abc`)
})

it.each([
  'javascript:alert(1)//openapi.alipay.com',
  'data:text/html,https://openapi.alipay.com',
  `blob:${HERE}/sandbox/`,
  'http://openapi.alipay.com/gateway.do',
  'https://openapi.alipay.com.evil.example/',
  'https://openapi.alipay.com@evil.example/',
  'https://openapi.alipay.com:8443/',
  'https://evil.example/sandbox/pay/abc',
  '//evil.example/sandbox/pay/abc',
  `${HERE}/sandbox/../paid`,
  `${HERE}/`,
  '<form action="https://openapi.alipay.com">',
  'https://',
  '',
])('frames nothing at %s', (address) => {
  expect(payPage(address, HERE)).toBeUndefined()
})

it("finds the sandbox's page of a WeChat code", () => {
  expect(sandboxPage('weixin://wxpay/bizpayurl?pr=k3P-9_x')).toBe('/sandbox/pay/k3P-9_x')
  expect(sandboxPage('weixin://wxpay/bizpayurl?pr=../../paid')).toBeUndefined()
})
