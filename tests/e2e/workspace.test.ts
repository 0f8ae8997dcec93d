import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'

/** What a screen reader says after a control's name. */
const description = (control: Locator): Promise<string> =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => element.ownerDocument.querySelector(`[id="${id}"]`)?.textContent ?? '')
      .join(' '),
  )

describe('the settings', () => {
  it('say under a field what its label leaves open, and read it out with the field', async () => {
    await using server = await testServer()
    await using opened = await openPage(server.url)
    const { page } = opened
    const keepPixels = page.getByRole('switch', { name: '保持像素尺寸', exact: true })
    expect(await description(keepPixels)).toContain('自动缩小宽高')
    expect(await description(page.getByRole('textbox', { name: '最小大小', exact: true }))).toMatch(/范围.*1–204800KB/)
    // The label's press area lies over the hint.
    await page.getByText('关闭时，目标过小会自动缩小宽高').click({ force: true })
    expect(await keepPixels.isChecked()).toBe(true)
  })
})
