import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { openPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'
import { pages } from '#shared/tools/index'

/** Pages of one tool differ in words and in which fields they show: where only the frame is another, one of each will do. */
const oneOfEach = pages.filter(({ tool }, n) => pages.findIndex((one) => one.tool === tool) === n)

it.each([
  [1440, pages],
  [1024, oneOfEach],
  [390, oneOfEach],
] as const)('every page can be used by everyone at %i px wide', async (width, shown) => {
  await using server = await testServer()
  await using opened = await openPage(`${server.url}/convert`, { viewport: { width, height: 900 } })
  const { page } = opened
  const found: string[] = []
  await page.getByRole('heading', { level: 1 }).waitFor()
  found.push(...(await violations(page, 'not built')))
  for (const { page: one } of shown) {
    await page.goto(server.url + one.path)
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    found.push(...(await violations(page, one.path)))
  }
  expect(found).toEqual([])
})
