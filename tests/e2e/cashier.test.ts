import { readFileSync } from 'node:fs'
import codeMaker from 'qrcode-generator'
import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { payAt } from '../fixtures/payments.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { alipayPage, codesOf, holdTime, openCashier, openShop, payByWechat, remembered, type Shop } from '../fixtures/shop.ts'

const server = sharedServer()

/** What a drawn code says, module by module, without its white border. */
const modulesOf = ({ cashier }: Shop): Promise<string> =>
  cashier.getByRole('img', { name: '微信支付二维码' }).evaluate((element) => {
    const canvas = element as HTMLCanvasElement // its name is the canvas's
    const side = canvas.width
    const data = canvas.getContext('2d')?.getImageData(0, 0, side, side).data ?? []
    const isDark = (x: number, y: number): boolean => (data[(y * side + x) * 4] ?? 255) < 128
    return Array.from({ length: side - 8 }, (_, y) =>
      Array.from({ length: side - 8 }, (_unused, x) => (isDark(x + 4, y + 4) ? '#' : '.')).join(''),
    ).join('\n')
  })

function drawn(text: string): string {
  const code = codeMaker(0, 'M')
  code.addData(text)
  code.make()
  const line = Array.from({ length: code.getModuleCount() }, (_, n) => n)
  return line.map((row) => line.map((column) => (code.isDark(row, column) ? '#' : '.')).join('')).join('\n')
}

describe('the cashier', () => {
  it('shows ten benefits, two plans and both codes, with the amount of the plan chosen', async () => {
    await using shop = await openShop(server())
    const { page, cashier, complaints, calls } = shop
    const answering = page.waitForResponse('**/api/order/wxpay')
    await openCashier(shop)
    const { data } = (await (await answering).json()) as { data: string } // the envelope of every success
    expect(data).toMatch(/^weixin:\/\/wxpay\/bizpayurl\?pr=/)
    expect(await modulesOf(shop)).toBe(drawn(data))
    expect(await cashier.getByRole('listitem').count()).toBe(10)
    expect((await cashier.boundingBox())?.width).toBe(800)
    const [first, second] = [cashier.getByRole('radio', { name: /终身会员/ }), cashier.getByRole('radio', { name: /按张数/ })]
    expect(await first.isChecked()).toBe(true)
    expect(await cashier.getByText('¥28.00').count()).toBe(2)
    expect(await alipayPage(cashier).getByText('¥28.00').count()).toBe(1)
    await first.press('ArrowRight')
    expect(await second.isChecked()).toBe(true)
    await alipayPage(cashier).getByText('¥9.90').waitFor()
    expect(await cashier.getByText('¥9.90').count()).toBe(2)
    await cashier.getByText('终身会员').click()
    expect(await first.isChecked()).toBe(true)
    await cashier.getByText('按张数').click()
    await codesOf(cashier)
    const sent = [...calls('/order/wxpay'), ...calls('/order/alipay')].map(
      // As the page sent them.
      (request) => request.postDataJSON() as Record<string, string>,
    )
    expect(sent.map(({ price }) => price).toSorted()).toEqual(['bigWeb', 'bigWeb', 'smallWeb', 'smallWeb'])
    const { loginID, loginPhone } = await remembered(page)
    for (const order of sent) {
      expect(order).toMatchObject({ loginID, loginPhone, bdUrl: '', url360: '' })
      expect(order['orderId']).toMatch(/^\d{13}[1-9]\d{3}$/)
    }
    expect(complaints).toEqual([])
  })

  it('makes a member of who pays in the frame, and tells the account', async () => {
    await using shop = await openShop(server())
    const { page, cashier, purchased, retention, complaints } = shop
    await openCashier(shop)
    await alipayPage(cashier).getByRole('button', { name: '确认支付' }).click()
    await purchased.waitFor()
    const { loginID, loginVIP } = await remembered(page)
    expect(loginVIP).toBe(true)
    await purchased.getByText(String(loginID), { exact: true }).waitFor()
    const saving = page.waitForEvent('download')
    await purchased.getByRole('button', { name: '保存为文本' }).click()
    expect(readFileSync(await (await saving).path(), 'utf8')).toBe(`轻图会员账号：${String(loginID)}\r\n`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await purchased.getByRole('button', { name: '复制' }).click()
    await purchased.getByText('已复制').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(loginID)
    await purchased.getByRole('button', { name: '确定' }).click()
    await purchased.waitFor({ state: 'detached' })
    expect(await retention.count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: /\*\*\*\*/ }).waitFor()
    expect(complaints).toEqual([])
  })

  it('notices a payment by WeChat', async () => {
    await using shop = await openShop(server())
    const { page, cashier, purchased } = shop
    await openCashier(shop)
    await payByWechat(shop, cashier)
    await purchased.waitFor()
    expect((await remembered(page))['loginVIP']).toBe(true)
  })

  it('may be closed before the payment comes', async () => {
    await using shop = await openShop(server())
    const { page, cashier, retention } = shop
    await openCashier(shop)
    const address = await cashier.getByRole('link', { name: '打开沙箱付款页' }).getAttribute('href')
    await page.keyboard.press('Escape')
    await retention.getByRole('button', { name: '放弃优惠' }).click()
    await payAt(shop.server.url, address ?? '')
    await page.getByRole('button', { name: /\*\*\*\*/ }).waitFor()
    expect((await remembered(page))['loginVIP']).toBe(true)
  })

  it('asks of each way every three seconds, not while the network is away, and no more once closed', async () => {
    await using shop = await openShop(server(), {}, (page) => page.clock.install())
    const { page, cashier, retention, calls } = shop
    await openCashier(shop)
    await holdTime(page)
    /** Calls in so many seconds of the page's time. */
    const askedIn = async (seconds: number): Promise<number> => {
      const before = calls('/order/orderstatus').length
      for (let passed = 0; passed < seconds; passed++) {
        await page.clock.runFor(1000)
        await page.waitForTimeout(60)
      }
      return calls('/order/orderstatus').length - before
    }
    expect(await askedIn(12)).toBe(8)
    await page.context().setOffline(true)
    expect(await askedIn(12)).toBe(0)
    await page.context().setOffline(false)
    await cashier.getByRole('button', { name: '关闭' }).click()
    await codesOf(retention)
    await retention.getByRole('button', { name: '放弃优惠' }).click()
    await retention.waitFor({ state: 'detached' })
    expect(await askedIn(12)).toBe(0)
  })

  it('has its codes renewed after 110 minutes', async () => {
    await using shop = await openShop(server(), {}, (page) => page.clock.install())
    const { page, cashier, calls } = shop
    await openCashier(shop)
    await page.clock.fastForward('01:50:00')
    const wechat = cashier.getByRole('region', { name: '微信支付' })
    await wechat.getByRole('button', { name: '二维码已过期，点击刷新。' }).click()
    await wechat.getByRole('img', { name: '微信支付二维码' }).waitFor()
    expect(calls('/order/wxpay').length).toBe(2)
    await cashier.getByRole('region', { name: '支付宝' }).getByRole('button', { name: '二维码已过期，点击刷新。' }).waitFor()
  })

  it('asks the provider for who says to have paid', async () => {
    await using shop = await openShop(server())
    const { cashier } = shop
    await openCashier(shop)
    await cashier.getByRole('region', { name: '微信支付' }).getByRole('button', { name: '我已支付' }).click()
    await cashier.getByText('暂未查询到付款。若已付款，通常 1 分钟内到账，请勿重复支付。').waitFor()
    expect(shop.calls('/order/check').length).toBe(1)
  })

  it('says what failed, and tries again', async () => {
    await using shop = await openShop(server())
    const { page, cashier } = shop
    await page.route('**/api/order/wxpay', (route) =>
      route.fulfill({ status: 502, json: { code: 'payment.code-failed', data: {}, ref: 'x' } }),
    )
    await page.getByRole('button', { name: '开通会员' }).click()
    const again = cashier.getByRole('button', { name: '支付二维码加载失败，点击刷新。' })
    await again.waitFor()
    await alipayPage(cashier).getByRole('button', { name: '确认支付' }).waitFor()
    await page.unroute('**/api/order/wxpay')
    await again.click()
    await codesOf(cashier)
    expect(await again.count()).toBe(0)
  })

  it.each([
    ['/order/alipay', { result: 'javascript:alert(1)' }],
    ['/order/alipay', { result: 'https://openapi.alipay.com.evil.example/' }],
    ['/order/wxpay', 'https://evil.example/'],
  ])('shows nothing of %s that is no payment: %j', async (path, data) => {
    await using shop = await openShop(server())
    const { page, cashier } = shop
    await page.route(`**/api${path}`, (route) => route.fulfill({ json: { data } }))
    await page.getByRole('button', { name: '开通会员' }).click()
    await cashier.getByRole('button', { name: '支付二维码加载失败，点击刷新。' }).waitFor()
    const [frame, code] = [cashier.locator('iframe'), cashier.locator('canvas')]
    const [refused, other] = path === '/order/wxpay' ? [code, frame] : [frame, code]
    await other.waitFor()
    expect(await refused.count()).toBe(0)
  })

  it('tells the 360 channel of its first opening, once', async () => {
    await using shop = await openShop(server(), { address: '/?qhclickid=abc' })
    const { page, cashier, retention, calls } = shop
    for (let n = 0; n < 2; n++) {
      await openCashier(shop)
      await page.keyboard.press('Escape')
      await retention.getByRole('button', { name: '放弃优惠' }).click()
      await cashier.waitFor({ state: 'detached' })
    }
    const [told, ...others] = calls('/ocpc/ocpc360')
    expect(others).toEqual([])
    expect(told?.postDataJSON()).toEqual({ url360: `${shop.server.url}/?qhclickid=abc`, event: 'download' })
    expect((await remembered(page))['url360down']).toBe(0)
  })
})

describe.each([1440, 390])('at %i px wide', (width) => {
  it('every state of the cashier can be used by everyone', async () => {
    await using shop = await openShop(server(), { width }, (page) => page.clock.install())
    const { page, cashier, purchased, retention } = shop
    const found: string[] = []
    await openCashier(shop)
    found.push(...(await violations(page, 'codes')))
    await cashier.getByRole('button', { name: '我已支付' }).first().click()
    await cashier.getByText('暂未查询到付款').waitFor()
    found.push(...(await violations(page, 'not yet')))
    const isWider = await cashier.evaluate((element) => element.scrollWidth > element.clientWidth)
    expect(isWider).toBe(false)
    await page.clock.fastForward('01:50:00')
    await cashier.getByText('二维码已过期').first().waitFor()
    found.push(...(await violations(page, 'expired')))
    await page.route('**/api/order/*', (route) => route.abort())
    for (let n = 0; n < 2; n++)
      await cashier
        .getByRole('button', { name: /二维码已过期/ })
        .first()
        .click()
    await cashier.getByText('支付二维码加载失败').nth(1).waitFor()
    found.push(...(await violations(page, 'failed')))
    await page.unroute('**/api/order/*')
    await page.keyboard.press('Escape')
    await codesOf(retention)
    found.push(...(await violations(page, 'retention')))
    expect(await retention.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false)
    await alipayPage(retention).getByRole('button', { name: '确认支付' }).click()
    await page.clock.runFor(2000)
    await purchased.waitFor()
    found.push(...(await violations(page, 'purchased')))
    expect(found).toEqual([])
  })
})
