import { expect, it } from 'vitest'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'
import { usualRates } from '#server/services'

it('a batch goes to its end where no stream of events comes through, in every tab, within the usual limits', async () => {
  await using server = await testServer({ rates: usualRates }, { WORKERS: '1' })
  await using opened = await openPage('about:blank')
  const { page } = opened
  const refused: string[] = []
  page.context().on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  await page.context().route('**/api/jobs/events*', (route) => route.abort())
  await page.goto(server.url)
  await page.getByRole('button', { name: '选择图片' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(server.url)
  for (const [tab, count] of [
    [page, 3],
    [other, 4],
  ] as const) {
    await tab.locator(fileInput).setInputFiles(await pictures(count))
    await tab.getByRole('button', { name: '开始处理' }).click()
  }
  await page.getByText('已完成 3 个').waitFor()
  await other.getByText('已完成 4 个').waitFor()
  expect(refused).toEqual([])
})
