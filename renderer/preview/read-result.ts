import type { DocxPage } from './docx-model.ts'
import { openPackage } from './package.ts'
import { PictureAddresses } from './pictures.ts'
import type { PreviewedFormat } from './previewed.ts'
import { readDocx } from './read-docx.ts'
import { readOfd, type OfdPage } from './read-ofd.ts'
import { readPptx, type Slides } from './read-pptx.ts'
import { readXlsx, type Grid } from './read-xlsx.ts'

/** What is looked at before a download: no more than tells whether it came out right. */
export const SHOWN_PAGES = 20
const SHOWN_LETTERS = 60_000

/** A result as it is shown; `more` says what of it is not. */
export type Preview = { readonly more: string } & (
  | { readonly kind: 'docx'; readonly pages: readonly DocxPage[]; readonly pictures: PictureAddresses }
  | { readonly kind: 'xlsx'; readonly grids: readonly Grid[] }
  | { readonly kind: 'pptx'; readonly slides: Slides; readonly pictures: PictureAddresses }
  | { readonly kind: 'ofd'; readonly pages: readonly OfdPage[]; readonly pictures: PictureAddresses }
  | { readonly kind: 'txt'; readonly text: string }
)

const onlyFirst = (count: number, unit: string): string =>
  count > SHOWN_PAGES ? `只预览前 ${SHOWN_PAGES} ${unit}，共 ${count} ${unit}` : ''

function readText(bytes: Uint8Array): Preview {
  const text = new TextDecoder().decode(bytes)
  const isWhole = text.length <= SHOWN_LETTERS
  return { kind: 'txt', text: isWhole ? text : text.slice(0, SHOWN_LETTERS), more: isWhole ? '' : '文字较多，只预览开头部分' }
}

/** A result's bytes as they are shown. Throws for what is not of its format. */
export function readResult(format: PreviewedFormat, bytes: Uint8Array): Preview {
  if (format === 'txt') return readText(bytes)
  const office = openPackage(bytes)
  const pictures = new PictureAddresses(office.file)
  switch (format) {
    case 'docx': {
      const { pages, count } = readDocx(office, SHOWN_PAGES)
      return { kind: 'docx', pages, pictures, more: onlyFirst(count, '页') }
    }
    case 'xlsx': {
      const { grids, count } = readXlsx(office, SHOWN_PAGES)
      return { kind: 'xlsx', grids, more: onlyFirst(count, '个工作表') }
    }
    case 'pptx': {
      const slides = readPptx(office, SHOWN_PAGES)
      return { kind: 'pptx', slides, pictures, more: onlyFirst(slides.count, '页') }
    }
    case 'ofd': {
      const { pages, count } = readOfd(office, SHOWN_PAGES)
      return { kind: 'ofd', pages, pictures, more: onlyFirst(count, '页') }
    }
  }
}
