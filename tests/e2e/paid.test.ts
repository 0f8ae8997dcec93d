import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { openPage, type TestPage } from '../fixtures/browser.ts'
import { codeAt, newOperator } from '../fixtures/operators.ts'
import { order, orderBody, pageOf, payAt, until } from '../fixtures/payments.ts'
import { testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { auditLog } from '#server/database/schema-operators'
import type { Issued } from '#server/operators/operators'
import type { PlanCode } from '#shared/plans'

/** Buys a plan, from the 360 channel or not. */
async function buy(server: TestServer, plan: PlanCode, url360 = ''): Promise<Visitor> {
  const visitor = await Visitor.enter(server.url)
  const body = { ...(await orderBody(visitor, plan)), url360 }
  const { result } = await visitor.post<{ result: string }>('/api/order/alipay', body)
  await payAt(server.url, await pageOf(result))
  await until(async () => (await visitor.post('/api/order/check', { orderId: body.orderId })) === '支付完成')
  return visitor
}

interface Desk extends AsyncDisposable {
  readonly server: TestServer
  readonly page: Page
  readonly issued: Issued
  readonly complaints: string[]
}

/** The report's page with an operator signed in, after two sales by biying and one by 360. */
async function openDesk(width = 1440, before: (page: Page) => Promise<unknown> = async () => {}): Promise<Desk> {
  const server = await testServer()
  await buy(server, 'bigWeb')
  await buy(server, 'smallWeb')
  await buy(server, 'retentionWeb', `${server.url}/?qhclickid=x`)
  const issued = await newOperator(server)
  const opened: TestPage = await openPage('about:blank', { viewport: { width, height: 900 } })
  const { page, complaints } = opened
  page.setDefaultTimeout(30_000)
  await before(page)
  await page.goto(`${server.url}/paid`)
  await page.getByLabel('账号').fill('op')
  await page.getByLabel('密码').fill(issued.password)
  await page.getByLabel('动态口令').fill(codeAt(issued.secret, Date.now()))
  await page.getByRole('button', { name: '登录' }).click()
  await page.getByRole('heading', { name: '订单报表' }).waitFor()
  await page.getByText('共 2 单').waitFor()
  return {
    server,
    page,
    issued,
    // Who isn't signed in is told so by the first call.
    complaints: complaints.filter((text) => !text.includes('status of 401')),
    [Symbol.asyncDispose]: async () => {
      await opened[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('the report', () => {
  it('shows nothing without an operator, and makes nobody a guest', async () => {
    await using server = await testServer()
    await using opened = await openPage(`${server.url}/paid`)
    const { page } = opened
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByText('请填写账号、密码和动态口令。').waitFor()
    await page.getByLabel('账号').fill('op')
    await page.getByLabel('密码').fill('x')
    await page.getByLabel('动态口令').fill('000000')
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByText('账号、密码或动态口令有误，请重新输入。').waitFor()
    expect(await page.context().cookies()).toEqual([])
    const answer = await page.request.get(`${server.url}/paid`, { headers: { accept: 'text/html' } })
    expect(answer.headers()['x-robots-tag']).toContain('noindex')
  })

  it('adds a channel up, shows numbers when asked, and lets a table out without them', async () => {
    await using desk = await openDesk()
    const { page, server, complaints } = desk
    await page.getByText('共 2 单，合计 ¥37.90').waitFor()
    expect(await page.getByRole('combobox', { name: '日期' }).locator('option').allTextContents()).toHaveLength(17)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出 CSV' }).click()
    const table = readFileSync(await (await saving).path(), 'utf8')
    const [head, ...lines] = table.split('\r\n')
    expect(head).toBe('\uFEFF"日期","时间","金额","渠道","订单号"')
    // Both were paid within a second or so, in which case either may come first.
    expect(lines.map((line) => line.replace(/^"\d+\/\d+\/\d{4}","\d\d:\d\d:\d\d",|,"\*{6}\w{6}"$/g, '')).toSorted()).toEqual([
      '',
      '"28.00","biying"',
      '"9.90","biying"',
    ])
    await page
      .getByRole('button', { name: /^显示订单号/ })
      .first()
      .click()
    await page.getByRole('cell', { name: /^\d{8}\w{20}$/ }).waitFor()
    const noted = await server.connection.db.select().from(auditLog)
    expect(noted.map(({ action }) => action)).toContain('reveal')
    await page.getByRole('button', { name: '360', exact: true }).click()
    await page.getByText('共 1 单，合计 ¥9.80').waitFor()
    expect(await page.getByRole('combobox', { name: '日期' }).locator('option').allTextContents()).toEqual(['今天', '昨天'])
    await page.getByRole('combobox', { name: '日期' }).selectOption('昨天')
    await page.getByText('共 0 单，合计 ¥0.00').waitFor()
    await page.getByRole('button', { name: '退出' }).click()
    await page.getByRole('heading', { name: '运营登录' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '运营登录' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('pays an order back once a reason is given', async () => {
    await using desk = await openDesk()
    const { page } = desk
    await page
      .getByRole('row', { name: /28\.00/ })
      .getByRole('button', { name: /^退款/ })
      .click()
    const dialog = page.getByRole('dialog', { name: '确认退款' })
    await dialog.getByText(/\d{8}\w{20}/).waitFor()
    await dialog.getByRole('button', { name: '确认退款' }).click()
    await dialog.getByText('请填写退款原因。').waitFor()
    await dialog.getByLabel('退款原因').fill('买错了')
    await dialog.getByRole('button', { name: '确认退款' }).click()
    await page.getByText('已退款').waitFor()
    await page.getByText('共 2 单，合计 ¥9.90').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('gives its operator another password', async () => {
    await using desk = await openDesk()
    const { page, issued, complaints } = desk
    await page.getByRole('button', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog', { name: '修改密码' })
    const fill = async (next: string, again: string, ms: number): Promise<void> => {
      await dialog.getByLabel('当前密码').fill(issued.password)
      await dialog.getByLabel('新密码', { exact: true }).fill(next)
      await dialog.getByLabel('再输一次新密码').fill(again)
      await dialog.getByLabel('动态口令').fill(codeAt(issued.secret, ms))
      await dialog.getByRole('button', { name: '修改密码' }).click()
    }
    await dialog.getByRole('button', { name: '修改密码' }).click()
    await dialog.getByText('请填写当前密码、新密码和动态口令。').waitFor()
    await fill('correct horse 电池 staple', 'something else', Date.now())
    await dialog.getByText('两次输入的新密码不一致，请重新输入。').waitFor()
    await fill('short', 'short', Date.now())
    await dialog.getByText('新密码至少 15 个字符').waitFor()
    // The present code was used at the door.
    await fill('correct horse 电池 staple', 'correct horse 电池 staple', Date.now() + 30_000)
    await dialog.getByText('密码已修改，您在别处的登录都已退出。').waitFor()
    await dialog.getByRole('button', { name: '完成' }).click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: '刷新' }).click()
    await page.getByText('共 2 单').waitFor()
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
  })

  it('settles the invoices asked for', async () => {
    await using desk = await openDesk()
    const { page, server } = desk
    const visitor = await buy(server, 'bigWeb')
    const [paid] = await visitor.read<{ orderId: string }[]>('/api/order/mine')
    const asked = { kind: 'company', company: '=某某公司', taxId: '91310000MA1K35X71D', email: 'a@b.cn' }
    await visitor.post('/api/invoices', { orderId: paid?.orderId, ...asked })
    await page.getByRole('button', { name: '开票申请' }).click()
    await page.getByRole('cell', { name: '待处理', exact: true }).waitFor()
    await page.getByRole('button', { name: '已开具 =某某公司' }).click()
    await page.getByRole('cell', { name: '已开具', exact: true }).waitFor()
    expect(await visitor.read('/api/order/mine')).toMatchObject([{ invoice: 'issued' }])
  })

  it('is put away after a quarter of an hour without a call', async () => {
    await using desk = await openDesk(1440, (page) => page.clock.install())
    const { page } = desk
    await page.clock.fastForward('14:59')
    expect(await page.getByText('共 2 单').isVisible()).toBe(true)
    await page.clock.fastForward('00:02')
    await page.getByText('长时间未操作，请重新登录。').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
  })
})

it.each([1440, 390])('can be used by everyone at %i px', async (width) => {
  await using desk = await openDesk(width)
  const { page, server } = desk
  const found = await violations(page, 'orders')
  await page.getByRole('button', { name: /^退款/ }).first().click()
  await page.getByRole('dialog').waitFor()
  found.push(...(await violations(page, 'refund')))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '修改密码' }).click()
  await page.getByRole('dialog').waitFor()
  found.push(...(await violations(page, 'password')))
  await page.keyboard.press('Escape')
  const visitor = await Visitor.enter(server.url)
  const { page: paying } = await order(visitor, 'alipay', 'smallWeb')
  await payAt(server.url, paying)
  await until(async () => (await visitor.read<unknown[]>('/api/order/mine')).length === 1)
  const [paid] = await visitor.read<{ orderId: string }[]>('/api/order/mine')
  await visitor.post('/api/invoices', { orderId: paid?.orderId, kind: 'personal', company: '张三', taxId: '', email: 'a@b.cn' })
  await page.getByRole('button', { name: '开票申请' }).click()
  await page.getByRole('cell', { name: '待处理' }).waitFor()
  found.push(...(await violations(page, 'invoices')))
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
  await page.getByRole('button', { name: '退出' }).click()
  await page.getByRole('heading', { name: '运营登录' }).waitFor()
  found.push(...(await violations(page, 'sign in')))
  expect(found).toEqual([])
})
