import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { chromium } from 'playwright-core'
import { letterOf } from './glyph-font.mjs'
import { openOfd } from './package.mjs'
import { fontFaces, pageHtml, sizeOf } from './svg.mjs'

/*
 * Prints OFD files as PDFs, so that one renderer draws both what was converted and what came of it. Called with a folder and the files; the browser's
 * place is in CHROMIUM where it is not Debian's.
 */

const [, , folder = '', ...paths] = process.argv
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const path of paths) {
  const ofd = openOfd(readFileSync(path))
  const sheets = ofd.pages.map((_, at) => {
    // Whole pixels of the browser's, of which 96 are an inch: what is wider than its sheet by a part of one would be made smaller.
    const [width, height] = sizeOf(ofd, at).map((points) => Math.ceil((points * 96) / 72))
    const style = `page:p${at};width:${width}px;height:${height}px;overflow:hidden`
    return {
      rule: `@page p${at}{size:${width}px ${height}px;margin:0}`,
      html: `<div style="${style}"><div style="zoom:${96 / 72}">${pageHtml(ofd, at)}</div></div>`,
    }
  })
  const page = await browser.newPage()
  await page.setContent(
    `<style>body{margin:0}${fontFaces(ofd)}${sheets.map(({ rule }) => rule).join('')}</style>${sheets.map(({ html }) => html).join('')}`,
  )
  const families = [...ofd.fonts].flatMap(([id, { file }]) => (file === undefined ? [] : [`10px f${id}`]))
  await page.evaluate(
    ([fonts, letter]) => Promise.all(fonts.map((font) => document.fonts.load(font, letter).catch(() => []))).then(() => undefined),
    /** @type {const} */ ([families, letterOf(1)]),
  )
  await page.pdf({ path: join(folder, basename(path).replace(/\.ofd$/, '.pdf')), preferCSSPageSize: true, printBackground: true })
  await page.close()
}
await browser.close()
