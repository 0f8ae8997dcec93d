import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { openPage } from '../fixtures/browser.ts'
import { toSize } from '../fixtures/engine.ts'
import { codeAt, newOperator } from '../fixtures/operators.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor } from '../fixtures/server.ts'

it('operators read how jobs go, and look for one tool or one failure, on a wide screen and on a phone', async () => {
  await using server = await testServer()
  const visitor = await Visitor.enter(server.url)
  const good = await photo(300, 200).jpeg({ quality: 90 }).toBuffer()
  const files = [good, good.subarray(0, 700)].map((bytes, n) => ({ name: `${n}.jpg`, bytes }))
  const jobs = await Promise.all((await visitor.start(files, toSize(10))).map((id) => visitor.ended(id)))
  const code = jobs.find(({ state }) => state === 'failed')?.error?.code ?? ''
  const { password, secret } = await newOperator(server)
  await using opened = await openPage(`${server.url}/paid`)
  const { page, complaints } = opened
  await page.getByLabel('账号').fill('op')
  await page.getByLabel('密码').fill(password)
  await page.getByLabel('动态口令').fill(codeAt(secret, Date.now()))
  await page.getByRole('button', { name: '登录' }).click()
  await page.getByRole('button', { name: '任务' }).click()
  await page.getByText('24 小时内 2 个任务，失败 1 个').waitFor()
  await page.getByRole('region', { name: '最近的失败' }).getByRole('cell', { name: code }).waitFor()
  await page.getByRole('cell', { name: '工作中' }).waitFor()
  expect(await violations(page, 'wide')).toEqual([])
  const shots = process.env['SCREENSHOTS']
  if (shots !== undefined) await page.screenshot({ path: `${shots}/jobs-1440.png`, fullPage: true })
  await page.getByRole('combobox', { name: '失败代码' }).selectOption(code)
  await page.getByText('24 小时内 1 个任务，失败 1 个').waitFor()
  await page.getByRole('combobox', { name: '工具' }).selectOption('set-dpi')
  await page.getByText('24 小时内没有任务。').waitFor()
  await page.getByRole('combobox', { name: '工具' }).selectOption('')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('24 小时内 1 个任务').waitFor()
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(wider).toBeLessThanOrEqual(0)
  expect(await violations(page, 'phone')).toEqual([])
  if (shots !== undefined) await page.screenshot({ path: `${shots}/jobs-390.png`, fullPage: true })
  // Who isn't signed in is told so by the first call.
  expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([])
})
