import { expect, it } from 'vitest'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { pages } from '#shared/tools/index'

const server = sharedServer()

const effects = pages.filter(({ tool }) => tool.section === 'effect').map(({ page }) => page)

it('the tab opens with nine pages in their order; two more open by address', async () => {
  await using opened = await openPage(server().url)
  const { page, complaints } = opened
  await page.getByRole('link', { name: 'AI图片特效' }).click()
  await page.waitForURL('**/effect/iblack')
  await page.getByRole('heading', { level: 1, name: '黑白照片上色（辅助）' }).waitFor()
  await page.getByText('AI上色（辅助）').waitFor()
  const menu = page.getByRole('navigation', { name: '功能', exact: true })
  expect(await menu.getByRole('link').allInnerTexts()).toEqual(effects.filter(({ inMenu }) => inMenu).map(({ label }) => label))
  expect(await menu.getByRole('link').count()).toBe(9)
  for (const path of ['/effect/imoire', '/effect/idocrepaire']) {
    await page.goto(server().url + path)
    await page.getByRole('heading', { level: 1, name: effects.find((one) => one.path === path)?.label ?? '?' }).waitFor()
    await page.getByRole('button', { name: '选择图片' }).waitFor()
  }
  expect(complaints).toEqual([])
})

it('a strength is left to the tool until it is slid or typed, and is remembered', async () => {
  await using opened = await openPage(`${server().url}/effect/idenoise`)
  const { page, complaints } = opened
  const auto = page.getByRole('switch', { name: '自动强度' })
  const slider = page.getByRole('slider', { name: '强度' })
  const number = page.getByRole('textbox', { name: '强度数值' })
  expect(await auto.isChecked()).toBe(true)
  expect(await slider.getAttribute('aria-valuetext')).toBe('自动')
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  expect([await auto.isChecked(), await number.inputValue()]).toEqual([false, '51'])
  await number.fill('80')
  expect(await slider.inputValue()).toBe('80')
  await number.fill('101')
  expect([await number.getAttribute('aria-invalid'), await slider.inputValue()]).toEqual(['true', '80'])
  await auto.focus()
  await page.keyboard.press('Space')
  expect([await auto.isChecked(), await number.inputValue()]).toEqual([true, ''])
  await page.reload()
  await auto.waitFor()
  expect(await auto.isChecked()).toBe(true)
  await auto.click()
  await number.fill('30')
  await page.reload()
  await number.waitFor()
  expect(await number.inputValue()).toBe('30')
  expect(complaints).toEqual([])
})

it('files go through an effect together; what needs nothing is told of, costs nothing and stays as it is', async () => {
  await using opened = await openPage(`${server().url}/effect/idenoise`)
  const { page } = opened
  const slider = page.getByRole('slider', { name: '强度' })
  await slider.waitFor()
  const left = page.getByText(/今日 AI 免费次数还剩 \d+ 次/)
  const before = await left.innerText()
  await page.getByRole('textbox', { name: '强度数值' }).fill('0')
  await page.locator(fileInput).setInputFiles(await pictures(2, 64))
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 2 个').waitFor()
  expect(await page.getByText('没有明显噪点，无需处理').count()).toBe(2)
  expect(await page.getByRole('button', { name: /^对比 / }).count()).toBe(2)
  expect(await page.getByText(/−\d+%/).count()).toBe(0)
  await expect.poll(() => left.innerText()).toBe(before)
})
