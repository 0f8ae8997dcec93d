import { expect, it } from 'vitest'
import { openPage } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

// Every page test fails at its end if its page did what the policy forbids; here that very check is seen to.
it.each([
  ['an inline script', '<script>window.hasRun = true</script>', 'script-src-elem inline'],
  ['a handler in an attribute', '<img src="/icon.svg" alt="" onload="window.hasRun = true">', 'script-src-attr inline'],
  ['a script from elsewhere', '<script src="https://elsewhere.example/a.js"></script>', 'script-src-elem https://elsewhere.example/a.js'],
  ['an inline style sheet', '<style>p { color: red }</style>', 'style-src-elem inline'],
  ['a picture from elsewhere', '<img src="https://elsewhere.example/a.png" alt="">', 'img-src https://elsewhere.example/a.png'],
  ['a frame from elsewhere', '<iframe src="https://elsewhere.example/"></iframe>', 'frame-src https://elsewhere.example'],
])('a page with %s fails its test, and the policy stops it', async (_what, html, told) => {
  const { url } = server()
  const opened = await openPage(`${url}/help`)
  const { page } = opened
  await page.route(`${url}/`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('</body>', `${html}</body>`) })
  })
  const forbidden = page.waitForEvent('console', (message) => message.text().includes(`Content Security Policy: ${told}`))
  await page.goto(`${url}/`)
  await forbidden
  expect(await page.evaluate(() => 'hasRun' in window)).toBe(false)
  await expect(opened[Symbol.asyncDispose]()).rejects.toThrow(told)
})

it('a page that keeps to the policy fails nothing', async () => {
  const opened = await openPage(`${server().url}/`)
  await opened.page.getByRole('heading').first().waitFor()
  await expect(opened[Symbol.asyncDispose]()).resolves.toBeUndefined()
})
