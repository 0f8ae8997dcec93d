import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'

it('the page has to load no more than 150 kB of scripts before it takes files', async () => {
  await using server = await testServer()
  await using opened = await openPage('about:blank')
  const { page } = opened
  const scripts = new Set<string>()
  let isLoaded = false
  page.on('load', () => (isLoaded = true))
  page.on('request', (request) => !isLoaded && request.resourceType() === 'script' && scripts.add(request.url()))
  await page.goto(server.url)
  await page.getByRole('button', { name: '选择图片' }).waitFor()
  const sizes = await Promise.all([...scripts].map(async (url) => gzipSync(await (await page.request.get(url)).body()).length))
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
})
