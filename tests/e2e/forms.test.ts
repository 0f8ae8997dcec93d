import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

describe('a form', () => {
  it('sets two sides by one click, shows which set holds, and what the other side will be', async () => {
    const server = shared()
    await using opened = await openPage(`${server.url}/wiheight`)
    const { page, complaints } = opened
    const pick = page.getByRole('button', { name: '720p 1280×720' })
    await pick.click()
    expect(await pick.getAttribute('aria-pressed')).toBe('true')
    expect(await page.getByRole('textbox', { name: '宽度' }).inputValue()).toBe('1280')
    await page.getByRole('textbox', { name: '高度' }).fill('721')
    expect(await pick.getAttribute('aria-pressed')).toBe('false')
    await page.goto(`${server.url}/px`)
    await page.locator(fileInput).setInputFiles(await pictures(1, 1000))
    await page.getByText('1000×1000').waitFor()
    await page.getByRole('textbox', { name: '宽度' }).fill('250')
    expect(await page.getByRole('textbox', { name: '高度' }).getAttribute('placeholder')).toBe('250')
    expect(complaints).toEqual([])
  })

  it('finds a format by a word of its description, by keyboard, and converts to it', async () => {
    const server = shared()
    await using opened = await openPage(`${server.url}/convert/all`)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(1, 200))
    const format = page.getByRole('combobox', { name: '转为' })
    await format.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /^PNG/ }).first().waitFor()
    await format.fill('无损')
    await page.getByRole('option', { name: /无损格式，支持透明/ }).waitFor()
    expect(await page.getByRole('option').count()).toBeLessThan(8)
    await page.keyboard.press('Enter')
    expect(await format.inputValue()).toBe('PNG')
    expect(await page.getByRole('listbox').count()).toBe(0)
    await page.getByRole('button', { name: '开始处理' }).click()
    const link = page.getByRole('link', { name: '下载 图0.jpg' })
    await link.waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(await sharp(await readFile(await download.path())).metadata()).toMatchObject({ format: 'png', width: 200, height: 200 })
  })

  it('offers the formats of its page in the file dialog', async () => {
    const server = shared()
    await using opened = await openPage(`${server.url}/convert/heictojpg`)
    const { page } = opened
    expect((await page.locator(fileInput).getAttribute('accept'))?.split(',')).toEqual(
      expect.arrayContaining(['image/heic', '.heic', '.heif']),
    )
    expect(await page.locator(fileInput).getAttribute('accept')).not.toContain('jpeg')
    await page.getByText(/^HEIC · 单个/).waitFor()
  })
})
