import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { openDrawable } from '#engine/pdf/raster'

/** Which pixels of a page's only line have ink, at a pixel a point. */
async function inkOf(text: string): Promise<string> {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, pdfOf([{ content: drawn(text, 20, 40, 40), width: 300, height: 100 }]))
  const drawable = await openDrawable(path)
  const { data, width, height } = drawable.draw(1, { dpi: 72 })
  drawable.close()
  return Array.from({ length: width * height }, (_, at) => ((data[at * 4] ?? 255) < 128 ? '#' : ' ')).join('')
}

test('Chinese whose font the PDF does not hold is drawn', async () => {
  const [one, other, none] = await Promise.all([inkOf('轻图办公'), inkOf('文档转换'), inkOf('　　　　')])
  const dots = (ink: string): number => ink.replaceAll(' ', '').length
  expect(dots(one)).toBeGreaterThan(800)
  expect(dots(other)).toBeGreaterThan(800)
  // Letters of their own, not one box for all.
  expect(one).not.toBe(other)
  expect(dots(none)).toBe(0)
})
