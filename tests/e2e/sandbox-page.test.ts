import { AxeBuilder } from '@axe-core/playwright'
import { describe, expect, it } from 'vitest'
import { openPage } from '../fixtures/browser.ts'
import { order } from '../fixtures/payments.ts'
import { Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

describe('the sandbox’s page', () => {
  it('fits a frame of 200 pixels in our page, says that nobody pays, and takes the press of its button', async () => {
    const visitor = await Visitor.enter(server().url)
    const { code, orderId } = await order(visitor, 'alipay', 'bigWeb')
    await using opened = await openPage(server().url)
    const { page, complaints } = opened
    await page.evaluate((address) => {
      const frame = document.createElement('iframe')
      frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms allow-popups')
      frame.referrerPolicy = 'no-referrer'
      frame.width = '200'
      frame.height = '200'
      frame.src = address
      document.body.prepend(frame)
    }, code)
    const frame = page.frameLocator('iframe')
    await frame.getByText('沙箱支付，不会真的付款').waitFor()
    const size = await frame.locator('html').evaluate((root) => [root.scrollWidth, root.scrollHeight])
    expect(Math.max(...size)).toBeLessThanOrEqual(200)
    const shot = process.env['SHOTS']
    if (shot !== undefined) await page.locator('iframe').screenshot({ path: `${shot}/sandbox.png` })
    await frame.getByRole('button', { name: '确认支付' }).click()
    await frame.getByText('已支付').waitFor()
    const paidSize = await frame.locator('html').evaluate((root) => [root.scrollWidth, root.scrollHeight])
    expect(Math.max(...paidSize)).toBeLessThanOrEqual(200)
    expect(await visitor.post('/api/order/check', { orderId })).toBe('支付完成')
    expect(complaints).toEqual([])
  })

  it('has nothing to complain about for who cannot see it', async () => {
    const { page: path } = await order(await Visitor.enter(server().url), 'wxpay', 'smallWeb')
    await using opened = await openPage(server().url + path)
    const { violations } = await new AxeBuilder({ page: opened.page }).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})
