import { expect, it } from 'vitest'
import { openPage } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { remembered } from '../fixtures/shop.ts'

const server = sharedServer()

it('who signs in at WeChat is back under the name there, on the same page', async () => {
  await using opened = await openPage(server().url)
  const { page } = opened
  await page.getByRole('banner').getByRole('button', { name: '登录' }).click()
  await page.getByRole('link', { name: '微信登录' }).click()
  await page.getByRole('textbox').fill('小明')
  await page.getByRole('button').first().click()
  await page.waitForURL(`${server().url}/`)
  await page.waitForFunction(() => localStorage.getItem('user')?.includes('"loginPhone":"微信用户小明"') === true)
  // Whoever has bought nothing is no member.
  await page.getByText('今日免费次数还剩').waitFor()
  const before = await remembered(page)
  expect(before).toMatchObject({ loginPhone: '微信用户小明', loginVIP: false })
  expect(String(before['loginID'])).toHaveLength(26)
  // Seen, and with a way out, though no member.
  const header = page.getByRole('banner')
  await header.getByRole('button', { name: '微信用户小明' }).click()
  const panel = page.getByRole('dialog', { name: '我的账号' })
  await panel.getByText('未开通会员').waitFor()
  await header.getByRole('button', { name: '开通会员', exact: true }).first().waitFor()
  await page.keyboard.press('Escape')
  // The name stands beside what becoming a member takes, on a small phone too.
  await page.setViewportSize({ width: 360, height: 740 })
  await header.getByRole('button', { name: '微信用户小明' }).click()
  await panel.getByRole('button', { name: '开通会员' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await panel.getByRole('button', { name: '退出登录' }).click()
  await panel.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await header.getByRole('button', { name: '登录', exact: true }).waitFor()
  expect(await remembered(page)).not.toMatchObject({ loginID: before['loginID'] })
})

const undone = '微信登录未完成或已超时，请重新登录。'

it('a way back from WeChat that nobody began changes nothing, and leaves nothing in the address', async () => {
  await using opened = await openPage(server().url)
  const { page } = opened
  await page.getByText('今日免费次数还剩').waitFor()
  const before = await remembered(page)
  const query = new URLSearchParams({ openid: 'victim', nickname: '别人', headimgurl: 'https://thirdwx.qlogo.cn/1', ticket: 'forged' })
  await page.goto(`${server().url}/callback/wxlogin?${query}`)
  await page.getByRole('dialog').getByText(undone).waitFor()
  expect(page.url()).toBe(`${server().url}/`)
  expect(await remembered(page)).toEqual(before)
  await page.getByRole('button', { name: '我知道了' }).click()
  await page.getByRole('button', { name: '选择图片' }).waitFor()
  await page.goBack()
  expect(page.url()).not.toContain('victim')
})

it('giving up at WeChat leads home, and says so', async () => {
  await using opened = await openPage(`${server().url}/callback/wxlogin`)
  await opened.page.getByRole('dialog').getByText(undone).waitFor()
  expect(opened.page.url()).toBe(`${server().url}/`)
})
