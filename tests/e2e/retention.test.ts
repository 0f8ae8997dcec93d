import { expect, it } from 'vitest'
import { testServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { alipayPage, codesOf, holdTime, openCashier, openShop, remembered } from '../fixtures/shop.ts'
import { identities } from '#server/database/schema'

const server = sharedServer()

it('makes who leaves the cashier unpaid one more offer, once a closing', async () => {
  await using shop = await openShop(server())
  const { page, cashier, retention, complaints } = shop
  for (let n = 0; n < 2; n++) {
    await openCashier(shop)
    await cashier.getByRole('button', { name: '关闭' }).click()
    await codesOf(retention)
    await retention.getByText('1000 张 · 约 0.01 元/张 · 终身有效，永不过期').waitFor()
    expect((await retention.boundingBox())?.width).toBe(416)
    await (n === 0 ? retention.getByRole('button', { name: '放弃优惠' }).click() : page.keyboard.press('Escape'))
    await retention.waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
  expect(complaints).toEqual([])
})

it('is not closed by a press beside it', async () => {
  await using shop = await openShop(server())
  await openCashier(shop)
  await shop.page.mouse.click(20, 450)
  await shop.page.waitForTimeout(200)
  expect(await shop.cashier.isVisible()).toBe(true)
})

it('sells a thousand pictures, and asks every two seconds', async () => {
  await using shop = await openShop(server(), {}, (page) => page.clock.install())
  const { page, cashier, retention, purchased, calls } = shop
  await openCashier(shop)
  await page.keyboard.press('Escape')
  await cashier.waitFor({ state: 'detached' })
  await codesOf(retention)
  await holdTime(page)
  const before = calls('/order/orderstatus').length
  for (let n = 0; n < 3; n++) {
    await page.clock.runFor(2000)
    await page.waitForTimeout(150)
  }
  expect(calls('/order/orderstatus').length - before).toBe(6)
  await alipayPage(retention).getByRole('button', { name: '确认支付' }).click()
  await alipayPage(retention).getByText('已支付').waitFor()
  await page.clock.runFor(2000)
  await purchased.waitFor()
  const { loginID } = await remembered(page)
  const xsrf = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await page.request.post(`${shop.server.url}/api/user/cvtnum`, {
    data: { openid: loginID },
    headers: { 'x-xsrf-token': decodeURIComponent(xsrf), origin: shop.server.url },
  })
  expect(await answer.json()).toMatchObject({ data: { cvtnumRelRemain: 1000, isForever: false, isMember: true } })
  // A thousand pictures end one day.
  await purchased.getByRole('button', { name: '确定' }).click()
  await page.getByRole('button', { name: /\*{4}/ }).click()
  await page.getByRole('dialog', { name: '会员账号' }).getByRole('button', { name: '开通终身会员' }).click()
  await cashier.waitFor()
})

it('offers nothing more to a member who closes the cashier', async () => {
  await using own = await testServer()
  await using shop = await openShop(own)
  const { page, cashier, retention } = shop
  await openCashier(shop)
  // Another tab has bought meanwhile: the server says so when this one is looked at again.
  await shop.server.connection.db.update(identities).set({ memberSince: new Date(), isForever: true })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect.poll(async () => (await remembered(page))['loginVIP']).toBe(true)
  await page.keyboard.press('Escape')
  await cashier.waitFor({ state: 'detached' })
  expect(await retention.count()).toBe(0)
})
