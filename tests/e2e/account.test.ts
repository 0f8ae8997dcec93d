import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { member, orderOf, signInOn } from '../fixtures/accounts.ts'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { remembered } from '../fixtures/shop.ts'
import { account, headerLogin, idField, loginDialog, newComputer, signIn } from '../fixtures/sign-in.ts'

const server = sharedServer()

describe('the member login', () => {
  it('asks for the account id on leaving the field and on pressing, and sends nothing before there is one', async () => {
    await using opened = await openPage(server().url)
    const { page, complaints } = opened
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await headerLogin(page).click()
    const dialog = loginDialog(page)
    await dialog.waitFor()
    expect((await dialog.boundingBox())?.width).toBe(280)
    expect(await idField(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await idField(page).getAttribute('maxlength')).toBe('30')
    await page.keyboard.press('Tab')
    await dialog.getByText('请输入会员账号ID。').waitFor()
    await idField(page).fill('   ')
    expect(await dialog.getByText('请输入会员账号ID。').count()).toBe(0)
    await dialog.getByRole('button', { name: '登录', exact: true }).click()
    await dialog.getByText('请输入会员账号ID。').waitFor()
    expect(sent).not.toContain('/api/user/login')
    await page.mouse.click(20, 450)
    await page.waitForTimeout(200)
    expect(await dialog.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await headerLogin(page).evaluate((button) => button === document.activeElement)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('says in the dialog why it failed, and signs in with what the server knows', async () => {
    await using opened = await openPage(server().url)
    const { page } = opened
    const { openid } = await member(server())
    await headerLogin(page).click()
    await idField(page).fill('nobody')
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/user/login', async (route) => {
      await released
      await route.continue()
    })
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '登录中…' }).waitFor()
    release()
    await loginDialog(page).getByText('账号ID不存在').waitFor()
    expect(await remembered(page)).toMatchObject({ loginVIP: false })
    await idField(page).fill(` ${openid} `)
    await page.keyboard.press('Enter')
    await account(page).waitFor()
    await loginDialog(page).waitFor({ state: 'detached' })
    const { loginPhone } = await remembered(page)
    expect(await remembered(page)).toMatchObject({ loginID: openid, loginVIP: true })
    expect(await account(page).textContent()).toBe(`${openid.slice(0, 4)}****${String(loginPhone).slice(14)}`)
    for (const name of ['登录', '开通会员', '客户端下载', '在线客服']) {
      expect(await page.getByRole('banner').getByRole('button', { name }).count()).toBe(0)
    }
    await page.getByText('会员不限次数').waitFor()
    await page.reload()
    await account(page).waitFor()
    await page.mouse.move(600, 500)
    // The field was cleared.
    await account(page).hover()
    await page.getByRole('button', { name: '退出登录' }).click()
    await headerLogin(page).click()
    expect(await idField(page).inputValue()).toBe('')
  })
})

describe('a third computer', () => {
  it('chooses which one gives way; that one learns it, is told, and is a guest', async () => {
    await using opened = await openPage(server().url)
    const { page: first, browser } = opened
    const { openid, visitor } = await member(server())
    // The computer the membership was bought on is not here any more.
    await visitor.post('/api/user/logout', {})
    await signIn(first, openid)
    await account(first).waitFor()
    const second = await newComputer(browser, server().url)
    await signIn(second, openid)
    await account(second).waitFor()
    const third = await newComputer(browser, server().url)
    await signIn(third, openid)
    const choice = third.getByRole('dialog', { name: '选择要退出的电脑' })
    await choice.getByText('该会员已在 2 台电脑登录').waitFor()
    expect(await choice.getByRole('radio').count()).toBe(2)
    await choice.getByText('Linux · Chrome').first().waitFor()
    await choice.getByRole('button', { name: '取消' }).click()
    await choice.waitFor({ state: 'detached' })
    expect(await remembered(third)).toMatchObject({ loginVIP: false })
    await loginDialog(third).getByRole('button', { name: '登录', exact: true }).click()
    // The one seen longest ago is proposed: the first.
    await choice.getByRole('button', { name: '退出并登录' }).click()
    await account(third).waitFor()
    const message = first.getByRole('dialog', { name: '已退出登录' })
    await message.getByText('您的会员账号已在另一台电脑登录，本机已退出。').waitFor({ timeout: 30_000 })
    await headerLogin(first).waitFor()
    expect(await violations(first, 'signed out')).toEqual([])
    expect(await remembered(first)).toMatchObject({ loginVIP: false })
    expect((await remembered(first))['loginID']).not.toBe(openid)
    expect(await account(second).count()).toBe(1)
    await message.getByRole('button', { name: '重新登录' }).click()
    await idField(first).waitFor()
    await first.keyboard.press('Escape')
    // It is a guest in every way: no reload, and it works.
    await first.locator(fileInput).setInputFiles(await pictures(1))
    await first.getByRole('button', { name: '开始处理' }).click()
    await first.getByText('已完成 1 个').waitFor()
  })
})

describe('the order login', () => {
  it('says that an order is unknown in a box over the dialog, and gives a member back what was paid for', async () => {
    await using opened = await openPage(server().url)
    const { page } = opened
    const { openid, identityId } = await member(server())
    await orderOf(server(), identityId, { id: '20260101ABCDEFGHJKMNPQRSTV', state: 'paid' })
    await page.getByRole('contentinfo').getByRole('button', { name: '商户单号登录' }).click()
    const field = page.getByRole('textbox', { name: '商户单号' })
    expect(await field.getAttribute('maxlength')).toBe('30')
    await field.fill('20260101XXXXXXXXXXXXXXXXXX')
    await page.keyboard.press('Enter')
    const warning = page.getByRole('dialog', { name: '温馨提示' })
    await warning.getByText('订单不存在，请检查商户单号或商家订单号是否输入正确。').waitFor()
    await warning.getByRole('button', { name: '我知道了' }).click()
    expect(await field.inputValue()).toBe('20260101XXXXXXXXXXXXXXXXXX')
    expect(await page.getByRole('dialog').getByRole('button', { name: '登录', exact: true }).getAttribute('aria-disabled')).toBe('false')
    await field.fill('20260101ABCDEFGHJKMNPQRSTV')
    await page.keyboard.press('Enter')
    await page.getByText('登录成功，会员权益已恢复。').waitFor()
    await page.getByRole('button', { name: '确定' }).click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await remembered(page)).toMatchObject({ loginID: openid, loginVIP: true })
  })
})

it('the panel lists the computers, and signs one out', async () => {
  await using opened = await openPage(server().url)
  const { page, complaints } = opened
  const { openid, visitor } = await member(server())
  await visitor.post('/api/user/logout', {})
  const { visitor: office } = await signInOn(server(), openid, { deviceName: 'Windows · Edge' })
  await signIn(page, openid)
  await account(page).waitFor()
  // From elsewhere: a mouse at rest where the button appears opens nothing.
  await page.mouse.move(600, 500)
  await account(page).hover()
  const panel = page.getByRole('dialog', { name: '会员账号' })
  await panel.getByText('本机').waitFor()
  expect((await panel.boundingBox())?.width).toBe(320)
  await panel.getByText('终身会员', { exact: true }).waitFor()
  await panel.getByText('不限图片压缩张数').waitFor()
  expect(await panel.getByText(openid).count()).toBe(0)
  await panel.getByRole('button', { name: '显示' }).click()
  await panel.getByText(openid).waitFor()
  await panel.getByRole('button', { name: '退出 Windows · Edge' }).click()
  await panel.getByText('Windows · Edge').waitFor({ state: 'detached' })
  expect((await office.send('/api/user/cvtnum', { openid })).status).toBe(401)
  await panel.getByRole('button', { name: '开票' }).click()
  await page.getByRole('dialog', { name: /发票|开票/ }).waitFor()
  expect(await panel.count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(complaints).toEqual([])
})
