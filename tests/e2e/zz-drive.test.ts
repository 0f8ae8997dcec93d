import { it } from 'vitest'
import type { Page } from 'playwright-core'
import { member, signInOn } from '../fixtures/accounts.ts'
import { openPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'

const shot = (page: Page, name: string, fullPage = false) => page.screenshot({ path: `/tmp/r1shots/${name}.png`, fullPage })
const site = (more: object = {}) => ({
  data: { facts: {}, isSandbox: true, hasWechatLogin: true, free: { image: 100, ai: 5, document: 5 }, ...more },
})
let quota: object = { cvtnumRelRemain: 0, cvtnumNoAiRemain: 0, isForever: false, isMember: false, free: { image: 97, ai: 5, document: 5 } }
const stub = async (page: Page, more: object = {}) => {
  if (process.env['REAL']) return
  await page.route('**/api/site', (route) => route.fulfill({ json: site(more) }))
  await page.route('**/api/user/cvtnum', (route) => route.fulfill({ json: { data: quota } }))
}
it('drives', async () => {
  await using server = await testServer({}, { WORKERS: '1' })
  for (const width of [1440, 1024, 768, 390]) {
    await using opened = await openPage('about:blank', { viewport: { width, height: 900 } })
    const { page, complaints } = opened
    await stub(page)
    await page.goto(server.url)
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await page.waitForTimeout(500)
    await shot(page, `guest-${width}`)
    await shot(page, `guest-full-${width}`, true)
    if (width >= 1280) {
      await page.getByRole('button', { name: '在线客服' }).hover()
      await page.waitForTimeout(400)
      await shot(page, `service-${width}`)
      await page.mouse.move(10, 500)
    } else {
      await page.getByRole('button', { name: '全部功能' }).click()
      await page.waitForTimeout(400)
      await page.getByRole('button', { name: '在线客服' }).scrollIntoViewIfNeeded()
      await shot(page, `menu-${width}`)
      await page.getByRole('button', { name: '在线客服' }).click()
      await page.waitForTimeout(400)
      await shot(page, `service-${width}`)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: '会员账号登录' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '登录', exact: true }).click()
    await page.waitForTimeout(400)
    await shot(page, `login-required-${width}`)
    await page.getByRole('textbox', { name: '会员账号ID' }).fill('xxxx')
    await page.getByRole('dialog').getByRole('button', { name: '登录', exact: true }).click()
    await page.waitForTimeout(600)
    await shot(page, `login-unknown-${width}`)
    await page.getByRole('dialog').getByRole('button', { name: '商户单号登录' }).click()
    await page.getByRole('textbox', { name: '商户单号' }).fill('123')
    await page.getByRole('dialog').getByRole('button', { name: '登录', exact: true }).click()
    await page.getByText('我知道了').waitFor()
    await shot(page, `order-missing-${width}`)
    await page.getByText('我知道了').click()
    await shot(page, `order-${width}`)
    await page.keyboard.press('Escape')
    console.log(width, complaints)
  }
  const { openid } = await member(server)
  await signInOn(server, openid, { deviceName: 'Windows · Edge' })
  quota = { cvtnumRelRemain: 0, cvtnumNoAiRemain: 999999, isForever: true, isMember: true, free: { image: 97, ai: 5, document: 5 } }
  for (const width of [1440, 1024, 390]) {
    await using opened = await openPage('about:blank', { viewport: { width, height: 900 } })
    const { page, complaints } = opened
    await stub(page)
    await page.goto(server.url)
    await page.getByRole('button', { name: '会员账号登录' }).click()
    await page.getByRole('textbox', { name: '会员账号ID' }).fill(openid)
    await page.keyboard.press('Enter')
    await page.getByText('退出并登录').waitFor()
    await shot(page, `devices-${width}`)
    await page.getByText('退出并登录').click()
    await page.getByRole('button', { name: '开通会员' }).waitFor({ state: 'detached' })
    await page.waitForTimeout(600)
    await shot(page, `member-${width}`)
    const button = page.getByRole('banner').getByRole('button', { name: /\*\*\*\*/ })
    if (width >= 768) await button.hover()
    else await button.click()
    await page.getByText('终身会员', { exact: true }).waitFor()
    await page.getByText('本机').waitFor()
    await shot(page, `panel-${width}`)
    console.log(width, complaints)
  }
})
