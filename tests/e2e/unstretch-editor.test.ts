import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'

it.each([1440, 390])('a picture’s width is changed by handle, number and proportion at %i px', async (width) => {
  await using server = await testServer()
  await using opened = await openPage(`${server.url}/effect/istretch`, { viewport: { width, height: 900 } })
  const { page, complaints } = opened
  const buffer = await photo(320, 180).png().toBuffer()
  await page.locator(fileInput).setInputFiles([{ name: '图.png', mimeType: 'image/png', buffer }])
  const edit = page.getByRole('button', { name: '调整比例 图.png' })
  const more = page.getByRole('button', { name: '更多 图.png' })
  await edit.or(more).first().waitFor()
  if (await edit.isVisible()) await edit.click()
  else {
    await more.click()
    await page.getByRole('button', { name: '调整比例' }).click()
  }
  const editor = page.getByRole('dialog', { name: /调整比例/ })
  const handle = editor.getByRole('slider', { name: '右边' })
  await handle.focus()
  await page.keyboard.press('Shift+ArrowRight')
  expect(await handle.getAttribute('aria-valuenow')).toBe('110')
  const place = await handle.boundingBox()
  if (!place) throw new Error('no handle')
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 30, y, { steps: 3 })
  await page.mouse.up()
  expect(Number(await handle.getAttribute('aria-valuenow'))).toBeLessThan(110)
  await editor.getByLabel(/圆形参照：/).check()
  const circle = await editor.getByRole('group', { name: '圆形参照' }).boundingBox()
  expect(Math.abs((circle?.width ?? 0) - (circle?.height ?? 99))).toBeLessThan(1)
  await editor.getByRole('button', { name: '4:3' }).click()
  expect(await handle.getAttribute('aria-valuenow')).toBe('75')
  expect(await violations(page, 'unstretch editor')).toEqual([])
  const isWider = await page.evaluate(() =>
    [...document.querySelectorAll('dialog, dialog > *')].some((part) => part.scrollWidth > window.innerWidth),
  )
  expect(isWider).toBe(false)
  await editor.getByRole('textbox', { name: '宽度', exact: true }).fill('80')
  await editor.getByRole('button', { name: '应用到全部' }).click()
  await editor.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '开始处理' }).click()
  const link = page.getByRole('link', { name: '下载 图.png' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const { width: wide, height: high } = await sharp(await readFile(await download.path())).metadata()
  expect([wide, high]).toEqual([256, 180])
  expect(complaints).toEqual([])
})
