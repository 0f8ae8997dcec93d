import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { member } from '../fixtures/accounts.ts'
import { openPage } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

const button = (page: Page, name: string | RegExp) => page.getByRole('banner').getByRole('button', { name })
const panel = (page: Page) => page.getByRole('dialog', { name: '在线客服' })

describe('a panel of the header', () => {
  it('opens under the mouse, stays while the mouse is in it, and goes 300 ms after it has left', async () => {
    const server = shared()
    await using opened = await openPage(server.url)
    const { page } = opened
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await button(page, '在线客服').hover()
    await panel(page).waitFor()
    await page.mouse.move(20, 500)
    await page.clock.runFor(299)
    expect(await panel(page).count()).toBe(1)
    await page.clock.runFor(1)
    await panel(page).waitFor({ state: 'detached' })
    // Left for the panel, it stays for as long as one likes.
    await button(page, '在线客服').hover()
    await panel(page).hover()
    await page.clock.runFor(5000)
    expect(await panel(page).count()).toBe(1)
  })

  it('opens by keyboard, and Esc closes it without losing the place', async () => {
    const server = shared()
    await using opened = await openPage(server.url)
    const { page } = opened
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await page.getByRole('banner').getByRole('link').last().focus()
    await page.keyboard.press('Tab')
    await panel(page).waitFor()
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    expect(await button(page, '在线客服').evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await panel(page).waitFor()
    await page.keyboard.press('Tab')
    await panel(page).waitFor({ state: 'detached' })
  })
})

describe('on a phone', () => {
  it('the account opens as a sheet', async () => {
    const server = shared()
    await using opened = await openPage(server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const { page } = opened
    const { openid } = await member(server)
    await page.getByRole('button', { name: '全部功能' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: '会员账号登录' }).tap()
    await page.getByRole('textbox', { name: '会员账号ID' }).fill(openid)
    await page.keyboard.press('Enter')
    await button(page, /\*\*\*\*/).tap()
    const sheet = page.getByRole('dialog', { name: '会员账号' })
    await sheet.getByText('本机').waitFor()
    const box = await sheet.boundingBox()
    expect([box?.x, box?.width, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, 390, 844])
    await sheet.getByRole('button', { name: '退出登录' }).tap()
    await button(page, '开通会员').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
