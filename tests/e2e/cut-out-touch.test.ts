import type { CDPSession } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { answerJobs, cutOutParts } from '../fixtures/cut-out-job.ts'
import { testServer } from '../fixtures/server.ts'

type Place = readonly [x: number, y: number]

/** Fingers that are put down, moved in steps, and lifted together. */
async function touch(fingers: CDPSession, from: readonly Place[], to: readonly Place[]): Promise<void> {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', places: readonly Place[]) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) })
  await send('touchStart', from)
  for (let step = 1; step <= 8; step++) {
    const between = from.map(([x, y], n): Place => {
      const [endX, endY] = to[n] ?? [x, y]
      return [x + ((endX - x) * step) / 8, y + ((endY - y) * step) / 8]
    })
    await send('touchMove', between)
  }
  await send('touchEnd', [])
}

it('on a phone one finger paints and two zoom and move, and the editor can be used by everyone', async () => {
  await using server = await testServer()
  await using opened = await openPage(`${server.url}/matting/goods`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page, complaints } = opened
  const parts = await cutOutParts(1200, 1600)
  await answerJobs(page, parts)
  await page.locator(fileInput).setInputFiles([parts.upload])
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成').first().waitFor()
  await page.getByRole('button', { name: '更多 人像.jpg' }).click()
  await page.getByRole('button', { name: /修边/ }).click()
  const dialog = page.getByRole('dialog', { name: /背景与修边/ })
  const stage = dialog.getByRole('application', { name: '画布' })
  const said = dialog.getByText(/^已涂/)
  await stage.locator('canvas').first().waitFor()
  const box = await stage.boundingBox()
  if (!box) throw new Error('no stage')
  const fingers = await page.context().newCDPSession(page)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await touch(fingers, [[x - 40, y]], [[x + 40, y]])
  await expect.poll(() => said.textContent()).toBe('已涂 1 笔')
  const zoom = async (): Promise<number> => Number.parseInt((await dialog.getByLabel('显示比例').textContent()) ?? '', 10)
  const before = await zoom()
  await touch(
    fingers,
    [
      [x - 30, y],
      [x + 30, y],
    ],
    [
      [x - 90, y + 20],
      [x + 90, y + 20],
    ],
  )
  await expect.poll(zoom).toBeGreaterThan(before * 2.5)
  expect(await said.textContent()).toBe('已涂 1 笔')
  const found: string[] = []
  for (const tab of ['画笔', '背景', '边缘']) {
    await dialog.getByRole('button', { name: tab, exact: true }).click()
    found.push(...(await violations(page, tab)))
    if (
      await page.evaluate(() =>
        [...document.querySelectorAll('dialog, dialog *')].some(
          (part) => part.getBoundingClientRect().right > innerWidth + 1 && !part.closest('[role=application]'),
        ),
      )
    )
      found.push(`${tab}: wider than the window`)
  }
  expect(found).toEqual([])
  expect(complaints).toEqual([])
})
