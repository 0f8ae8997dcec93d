import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fileInput, OFFICE_ADDRESS, openPage, pictures } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

async function process(page: Page): Promise<void> {
  await page.locator(fileInput).setInputFiles(await pictures(2))
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 2 个').waitFor()
}

/** As browsers do where cookies are blocked. */
function denyStorage(): void {
  const denied = {
    get: (): never => {
      throw new DOMException('denied', 'SecurityError')
    },
  }
  Object.defineProperties(globalThis, { localStorage: denied, sessionStorage: denied })
}

function fillStorage(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
}

describe('files are processed in a browser', () => {
  it.each([
    ['that keeps nothing', denyStorage],
    ['that has no room left', fillStorage],
  ])('%s', async (_title, script) => {
    await using opened = await openPage('about:blank', { hasAgreed: false })
    const { page, complaints } = opened
    await page.addInitScript(script)
    await page.goto(server().url)
    await process(page)
    expect(complaints).toEqual([])
  })

  it('that came over plain HTTP from another computer, and are found again after a reload', async () => {
    await using opened = await openPage(`http://${OFFICE_ADDRESS}:${server().port}/`)
    const { page } = opened
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await process(page)
    await page.reload()
    await page.getByText('已完成 2 个').waitFor()
  })
})
