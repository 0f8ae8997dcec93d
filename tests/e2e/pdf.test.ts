import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { drawn, encrypted, pdfOf } from '../fixtures/pdfs.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

it('PDFs become text; one that is locked asks for its password, and again for the right one', async () => {
  await using opened = await openPage(`${server().url}/pdf/totxt`)
  const { page, complaints } = opened
  await page.getByRole('heading', { level: 1, name: 'PDF转TXT' }).waitFor()
  await page.getByRole('button', { name: '选择 PDF' }).waitFor()
  const plain = pdfOf([{ content: drawn('年度总结', 60, 700, 20) }])
  const locked = await encrypted(pdfOf([{ content: drawn('salaries', 60, 700) }]), { user: '开门', owner: 'own' })
  await page.locator(fileInput).setInputFiles([
    { name: '总结.pdf', mimeType: 'application/pdf', buffer: plain },
    { name: '工资.pdf', mimeType: 'application/pdf', buffer: locked },
  ])
  await page.getByRole('button', { name: /^开始/ }).click()
  const ask = page.getByRole('button', { name: '输入密码 工资.pdf' })
  await page.getByText('该 PDF 有打开密码').first().waitFor()
  await ask.click()
  const dialog = page.getByRole('dialog', { name: '输入打开密码' })
  await dialog.getByLabel('打开密码').fill('不对')
  await dialog.getByRole('button', { name: '继续转换' }).click()
  // Tried here, before anything is sent again.
  await dialog.getByText('密码不正确，请重新输入。').waitFor()
  expect(await violations(page, 'password')).toEqual([])
  await dialog.getByLabel('打开密码').fill('开门')
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: /^下载 工资/ })
  await link.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(await readFile(await download.path(), 'utf8')).toBe('\uFEFFsalaries\r\n')
  await page.getByRole('link', { name: /^下载 总结/ }).waitFor()
  expect(complaints).toEqual([])
})

it('a page that is not open yet says so in the page’s whole width', async () => {
  await using opened = await openPage(`${server().url}/pdf/tohtml`)
  const { page } = opened
  const missing = page.getByText('该功能暂未开放').locator('..')
  await missing.waitFor()
  expect((await missing.boundingBox())?.width).toBeGreaterThan(1000)
  await page.getByRole('link', { name: '去压缩图片' }).click()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
})
