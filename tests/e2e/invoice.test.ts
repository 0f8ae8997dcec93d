import { desc } from 'drizzle-orm'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { alipayPage, openCashier, openShop, type Shop } from '../fixtures/shop.ts'
import { invoices } from '#server/database/schema-billing'

const server = sharedServer()

/** Buys a lifetime membership. */
async function buy(shop: Shop): Promise<void> {
  await openCashier(shop)
  await alipayPage(shop.cashier).getByRole('button', { name: '确认支付' }).click()
  await shop.purchased.getByRole('button', { name: '确定' }).click()
}

async function openInvoice({ page }: Shop): Promise<Locator> {
  await page.getByRole('button', { name: /\*\*\*\*/ }).click()
  await page.getByRole('button', { name: '开票' }).click()
  return page.getByRole('dialog', { name: '申请开票' })
}

const lastAsked = async ({ server: { connection } }: Shop) =>
  (await connection.db.select().from(invoices).orderBy(desc(invoices.askedAt)).limit(1))[0]

describe('an invoice', () => {
  it('is asked for of a paid order, once the form is filled in right', async () => {
    await using shop = await openShop(server())
    await buy(shop)
    const dialog = await openInvoice(shop)
    expect(await dialog.getByRole('radio', { name: /终身会员 · ¥28\.00/ }).isChecked()).toBe(true)
    await dialog.getByLabel('接收邮箱').focus()
    await dialog.getByLabel('税号').focus()
    await dialog.getByText('请输入能收到发票的邮箱，如 name@example.com。').waitFor()
    await dialog.getByRole('button', { name: '提交申请' }).click()
    await dialog.getByText('请输入公司全称。').waitFor()
    expect(await dialog.getByLabel('发票抬头').evaluate((element) => element === document.activeElement)).toBe(true)
    expect(shop.calls('/invoices')).toEqual([])
    await dialog.getByLabel('发票抬头').fill(' 某某公司 ')
    await dialog.getByLabel('税号').fill('91310000ma1k35x71d')
    await dialog.getByLabel('接收邮箱').fill('a@b.cn')
    await dialog.getByRole('button', { name: '提交申请' }).click()
    await dialog.getByText('开票申请已提交，预计 1–3 个工作日发送到邮箱。').waitFor()
    await dialog.getByText('已提交', { exact: true }).waitFor()
    expect(await dialog.getByRole('button', { name: '提交申请' }).count()).toBe(0)
    const asked = await lastAsked(shop)
    expect(asked).toMatchObject({ kind: 'company', company: '某某公司', taxId: '91310000MA1K35X71D', email: 'a@b.cn', state: 'submitted' })
    expect(shop.complaints).toEqual([])
  })

  it('that was refused can be asked for again, for a person too', async () => {
    await using shop = await openShop(server())
    await buy(shop)
    const dialog = await openInvoice(shop)
    await dialog.getByLabel('发票抬头').fill('某某公司')
    await dialog.getByLabel('税号').fill('91310000MA1K35X71D')
    await dialog.getByLabel('接收邮箱').fill('a@b.cn')
    await dialog.getByRole('button', { name: '提交申请' }).click()
    await dialog.getByText('已提交', { exact: true }).waitFor()
    await shop.server.connection.db.update(invoices).set({ state: 'rejected' })
    await shop.page.keyboard.press('Escape')
    await openInvoice(shop)
    await dialog.getByText('已驳回').waitFor()
    await dialog.getByLabel('个人').check()
    await dialog.getByLabel('发票抬头').fill('张三')
    await dialog.getByLabel('接收邮箱').fill('z@b.cn')
    await dialog.getByRole('button', { name: '提交申请' }).click()
    await dialog.getByText('已提交', { exact: true }).waitFor()
    const asked = await lastAsked(shop)
    expect(asked).toMatchObject({ kind: 'personal', company: '张三', taxId: '', state: 'submitted' })
  })

  it('says what went wrong, and keeps what was written', async () => {
    await using shop = await openShop(server())
    await buy(shop)
    await shop.page.route('**/api/order/mine', (route) => route.abort(), { times: 1 })
    const dialog = await openInvoice(shop)
    await dialog.getByRole('button', { name: '重试' }).click()
    await dialog.getByLabel('个人').check()
    await dialog.getByLabel('发票抬头').fill('张三')
    await dialog.getByLabel('接收邮箱').fill('z@b.cn')
    await shop.page.route('**/api/invoices', (route) =>
      route.fulfill({ status: 409, json: { code: 'invoice.exists', data: {}, ref: 'x' } }),
    )
    await dialog.getByRole('button', { name: '提交申请' }).click()
    await dialog.getByText('该订单已申请过开票，请勿重复提交。').waitFor()
    expect(await dialog.getByLabel('发票抬头').inputValue()).toBe('张三')
  })
})

it.each([1440, 390])('can be used by everyone at %i px', async (width) => {
  await using shop = await openShop(server(), { width })
  const { page } = shop
  await buy(shop)
  const dialog = await openInvoice(shop)
  const found = await violations(page, 'empty')
  await dialog.getByRole('button', { name: '提交申请' }).click()
  await dialog.getByText('请输入公司全称。').waitFor()
  found.push(...(await violations(page, 'faults')))
  await dialog.getByLabel('个人').check()
  await dialog.getByLabel('发票抬头').fill('张三')
  await dialog.getByLabel('接收邮箱').fill('z@b.cn')
  await dialog.getByRole('button', { name: '提交申请' }).click()
  await dialog.getByText('已提交', { exact: true }).waitFor()
  found.push(...(await violations(page, 'submitted')))
  expect(found).toEqual([])
  expect(await dialog.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false)
})
