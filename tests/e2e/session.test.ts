import { describe, expect, it } from 'vitest'
import { member } from '../fixtures/accounts.ts'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { remembered } from '../fixtures/shop.ts'
import { account, headerLogin, noIdentityUntilPressed, signIn } from '../fixtures/sign-in.ts'

const server = sharedServer()

const deviceOf = (cookies: readonly { name: string; value: string }[]): string =>
  decodeURIComponent(cookies.find(({ name }) => name === 'device')?.value ?? '')

describe('a session', () => {
  it('that is over gives way to a new guest without a reload, and files go on', async () => {
    await using opened = await openPage(server().url)
    const { page } = opened
    await page.getByText('今日免费次数还剩').waitFor()
    const { loginID } = await remembered(page)
    await page.context().clearCookies()
    await page.locator(fileInput).setInputFiles(await pictures(3))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 3 个').waitFor()
    expect((await remembered(page))['loginID']).not.toBe(loginID)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('in the browser that the client opened counts as the same computer', async () => {
    const { visitor, openid } = await member(server())
    const { ticket } = await visitor.post<{ ticket: string }>('/api/devices/ticket', {})
    await using opened = await openPage(`${server().url}/convert/all#computer=${ticket}`)
    const { page } = opened
    await expect.poll(async () => deviceOf(await page.context().cookies())).toBe(decodeURIComponent(visitor.cookies.get('device') ?? ''))
    expect(page.url()).toBe(`${server().url}/convert/all`)
    await signIn(page, openid)
    await account(page).waitFor()
    expect(await visitor.read<unknown[]>('/api/devices')).toHaveLength(1)
    // It works once: another browser is a computer of its own.
    await using other = await openPage(`${server().url}/#computer=${ticket}`)
    await signIn(other.page, openid)
    await account(other.page).waitFor()
    expect(await visitor.read<unknown[]>('/api/devices')).toHaveLength(2)
  })

  it('that becomes another takes files uploaded before along, by uploading them anew', async () => {
    await using opened = await openPage(server().url)
    const { page } = opened
    const { openid } = await member(server())
    // Uploaded, and refused for what they are asked to be: their uploads wait for a retry.
    await page.locator(fileInput).setInputFiles(await pictures(2))
    await page.route('**/api/jobs', (route) => route.fulfill({ status: 500, json: { code: 'internal', data: {} } }))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('失败 2 个').waitFor()
    await page.unroute('**/api/jobs')
    await signIn(page, openid)
    await account(page).waitFor()
    await page.getByRole('button', { name: '重试失败的 2 个' }).click()
    await page.getByText('已完成 2 个').waitFor()
    expect(await remembered(page)).toMatchObject({ loginID: openid })
  })

  it('of one tab is that of the others: signing in and out', async () => {
    await using opened = await openPage(server().url)
    const { page } = opened
    const other = await page.context().newPage()
    await other.goto(server().url)
    const { openid } = await member(server())
    await signIn(page, openid)
    await account(other).waitFor()
    await account(other).hover()
    await other.getByRole('button', { name: '退出登录' }).click()
    await headerLogin(other).waitFor()
    await headerLogin(page).waitFor()
    expect(await remembered(page)).toMatchObject({ loginVIP: false })
  })

  it('typed into the storage makes nobody a member', async () => {
    await using opened = await openPage(server().url)
    const { page } = opened
    await page.getByText('今日免费次数还剩').waitFor()
    const { loginID } = await remembered(page)
    const { openid } = await member(server())
    await page.evaluate((id) => localStorage.setItem('user', JSON.stringify({ loginID: id, loginVIP: true })), openid)
    await page.reload()
    await headerLogin(page).waitFor()
    await page.getByText('今日免费次数还剩').waitFor()
    expect(await remembered(page)).toMatchObject({ loginID, loginVIP: false })
  })
})

describe('a guest without an identity', () => {
  it('is told so, and asks again at once when told to', async () => {
    await using opened = await openPage('about:blank')
    const { page } = opened
    await noIdentityUntilPressed(page)
    await page.goto(server().url)
    const banner = page.getByText('游客身份获取失败，正在重试…')
    await banner.waitFor()
    await page.getByRole('button', { name: '立即重试' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByText('今日免费次数还剩').waitFor()
    expect(await remembered(page)).toMatchObject({ loginVIP: false })
  })

  it('of whose network too many came is told how long that lasts', async () => {
    await using crowded = await testServer({ rates: { tourist: [1, 3600] } })
    await Visitor.enter(crowded.url)
    await using opened = await openPage(crowded.url)
    await expect.poll(() => opened.page.getByText('操作过于频繁，请 60 分钟后再试。').count()).toBe(1)
  })
})
