import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { portrait } from '../fixtures/portraits.ts'
import { testServer } from '../fixtures/server.ts'

it.each([1440, 390])('both editors can be used by everyone at %i px', async (width) => {
  await using server = await testServer()
  await using opened = await openPage(server.url, { viewport: { width, height: 900 } })
  const { page } = opened
  const found: string[] = []
  for (const path of ['/edit/crop', '/docsize']) {
    await page.goto(server.url + path)
    await page.locator(fileInput).setInputFiles([
      { name: '照.jpg', mimeType: 'image/jpeg', buffer: await portrait(600, 800) },
      { name: '说明.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    ])
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).waitFor()
    for (const state of ['shown', 'not shown']) {
      found.push(...(await violations(page, `${path} ${state}`)))
      const isWider = await page.evaluate(() =>
        [...document.querySelectorAll('dialog, dialog > *')].some((part) => part.scrollWidth > window.innerWidth),
      )
      if (isWider) found.push(`${path} ${state}: wider than the window`)
      if (state === 'shown') await page.getByRole('button', { name: '下一张' }).click()
    }
  }
  expect(found).toEqual([])
})
