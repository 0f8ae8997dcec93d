import { expect, it } from 'vitest'
import { deviceName } from '#renderer/platform/device-name'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Windows · Chrome'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/131.0.0.0`, 'Windows · Edge'],
  [`Mozilla/5.0 (Windows NT 10.0; WOW64) ${CHROME} QQBrowser/12.0`, 'Windows · QQ浏览器'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Linux · Firefox'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'macOS · Safari',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.53', 'iPhone · 微信'],
  [`Mozilla/5.0 (Linux; Android 14; K) ${CHROME}`, 'Android · Chrome'],
  ['curl/8.5.0', '电脑 · 浏览器'],
])('%s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
