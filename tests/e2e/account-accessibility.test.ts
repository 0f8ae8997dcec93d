import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { member, signInOn } from '../fixtures/accounts.ts'
import { openPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'
import { account, idField, noIdentityUntilPressed } from '../fixtures/sign-in.ts'

describe.each([1440, 390])('at %i px wide', (width) => {
  it('signing in, choosing a computer and the account can be used by everyone', async () => {
    await using server = await testServer()
    await using opened = await openPage('about:blank', { viewport: { width, height: 900 } })
    const { page } = opened
    const found: string[] = []
    const look = async (state: string): Promise<void> => {
      found.push(...(await violations(page, state)))
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      if (isWider) found.push(`${state}: wider than the page`)
    }
    const { openid } = await member(server)
    await signInOn(server, openid, { deviceName: 'Windows · Edge' })
    await noIdentityUntilPressed(page)
    await page.goto(server.url)
    await page.getByText('游客身份获取失败').waitFor()
    await look('no identity')
    await page.getByRole('button', { name: '立即重试' }).click()
    await page
      .getByText('今日免费次数还剩')
      .or(page.getByRole('button', { name: '设置' }))
      .first()
      .waitFor()
    await page.getByRole('contentinfo').getByText('待配置').first().waitFor()
    await look('guest')
    await page.getByRole('contentinfo').getByRole('button', { name: '商户单号登录' }).click()
    await page.getByRole('textbox', { name: '商户单号' }).fill('no such order')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: '温馨提示' }).waitFor()
    await look('no such order')
    await page.getByRole('button', { name: '我知道了' }).click()
    await look('order login')
    await page.keyboard.press('Escape')
    if (width < 768) {
      await page.getByRole('button', { name: '全部功能' }).click()
      await page.getByRole('dialog').getByRole('button', { name: '在线客服' }).click()
    } else {
      await page.getByRole('banner').getByRole('button', { name: '在线客服' }).hover()
    }
    await page.getByRole('dialog', { name: '在线客服' }).getByText('联系方式').waitFor()
    await look('service')
    await page.keyboard.press('Escape')
    await page.mouse.move(5, 500)
    await page.getByRole('contentinfo').getByRole('button', { name: '会员账号登录' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '登录', exact: true }).click()
    await page.getByText('请输入会员账号ID。').waitFor()
    await look('login, nothing entered')
    await idField(page).fill(openid)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: '选择要退出的电脑' }).waitFor()
    await look('choosing a computer')
    await page.getByRole('button', { name: '退出并登录' }).click()
    await account(page).waitFor()
    await look('member')
    await page.mouse.move(5, 500)
    await (width < 768 ? account(page).click() : account(page).hover())
    const panel = page.getByRole('dialog', { name: '会员账号' })
    await panel.getByText('本机').waitFor()
    await panel.getByRole('button', { name: '显示' }).click()
    await look('the account')
    expect(found).toEqual([])
  })
})
