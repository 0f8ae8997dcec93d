import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { openPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'
import { fieldsOf, pages, type ToolPage } from '#shared/tools/index'

const firstOfEach = (formOf: (page: ToolPage) => string): readonly ToolPage[] =>
  pages.filter((one, n) => pages.findIndex((other) => formOf(other) === formOf(one)) === n)

/** A form's fields without how they are checked. */
const shownIn = ({ tool, page: { shows, picks } }: ToolPage): string =>
  JSON.stringify([fieldsOf(tool), shows, picks], (key, value: unknown) => (key === 'schema' ? undefined : value))

/** Pages with the same form differ in words; and where only the frame is another, one of each kind of tool will do. */
const everyForm = firstOfEach(shownIn)
const everyTool = firstOfEach(({ tool }) => JSON.stringify([tool.editor, tool.section, tool.takes]))

it.each([
  [1440, everyForm],
  [1024, everyTool],
  [390, everyTool],
] as const)('every form can be used by everyone at %i px wide', async (width, shown) => {
  await using server = await testServer()
  await using opened = await openPage(`${server.url}/convert`, { viewport: { width, height: 900 } })
  const { page } = opened
  const found: string[] = []
  await page.getByRole('heading', { level: 1 }).waitFor()
  found.push(...(await violations(page, 'not built')))
  for (const { page: one } of shown) {
    await page.goto(server.url + one.path)
    await page.getByRole('button', { name: /^选择(图片|文件| PDF)$/ }).waitFor()
    found.push(...(await violations(page, one.path)))
  }
  expect(found).toEqual([])
})
