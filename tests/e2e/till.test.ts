import { expect, it } from 'vitest'
import { testServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { openCashier, openShop } from '../fixtures/shop.ts'

const server = sharedServer()

it('the till says what to do where the question does not come through, and of another plan nothing', async () => {
  await using shop = await openShop(server())
  const { page, cashier } = shop
  await openCashier(shop)
  await page.route('**/api/order/check', (route) => route.abort())
  await cashier.getByRole('region', { name: '微信支付' }).getByRole('button', { name: '我已支付' }).click()
  const trouble = cashier.getByText('网络连接不稳定，请检查网络后重试。')
  await trouble.waitFor()
  await cashier.getByText('按张数').click()
  await trouble.waitFor({ state: 'detached' })
  expect(await trouble.count()).toBe(0)
})

it('the till says where paying is not open, and makes no offer then', async () => {
  await using closed = await testServer({}, { PAYMENTS: 'off' })
  await using shop = await openShop(closed)
  await shop.page.getByRole('button', { name: '开通会员' }).click()
  await shop.cashier.getByText('暂未开通在线支付，请联系客服。').nth(1).waitFor()
  expect(await shop.cashier.getByText('沙箱').count()).toBe(0)
  await shop.page.keyboard.press('Escape')
  await shop.cashier.waitFor({ state: 'detached' })
  expect(await shop.page.getByRole('dialog').count()).toBe(0)
})
