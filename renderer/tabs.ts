import type { Section } from '#shared/tools/define'

/** The seven tabs in their order, each with its address and the page it opens. */
export const tabs: readonly { readonly section: Section; readonly label: string; readonly path: string; readonly first: string }[] = [
  { section: 'compress', label: '图片压缩', path: '/', first: '/' },
  { section: 'convert', label: '格式转换', path: '/convert', first: '/convert/all' },
  { section: 'edit', label: '图片编辑', path: '/edit', first: '/edit/size' },
  { section: 'matting', label: '抠图换背景', path: '/matting', first: '/matting/person' },
  { section: 'transparent', label: '透明图片', path: '/transparent', first: '/transparent/general' },
  { section: 'effect', label: 'AI图片特效', path: '/effect', first: '/effect/iblack' },
  { section: 'pdf', label: 'PDF转换', path: '/pdf', first: '/pdf/toword' },
]

const BY_WORD: readonly Section[] = ['convert', 'edit', 'pdf', 'effect', 'transparent', 'matting']

/** The tab of an address: the first of these words it contains, else compression. */
export const sectionOf = (path: string): Section => BY_WORD.find((word) => path.includes(word)) ?? 'compress'
