import type { PdfFont } from '../pdf/page-model.ts'

/** A font as Office names it, for letters and for Chinese characters. */
export interface OfficeFont {
  readonly latin: string
  readonly eastAsia: string
}

/** Chinese fonts that come with Windows or Office, by what names of others like them hold; the first that fits counts. */
const EAST_ASIAN: readonly (readonly [RegExp, string])[] = [
  [/yahei|雅黑/i, '微软雅黑'],
  [/dengxian|等线/i, '等线'],
  [/小标宋|xiaobiaosong|xbs|zhongsong|中宋/i, '华文中宋'],
  [/xingkai|行楷/i, '华文行楷'],
  [/xinwei|新魏/i, '华文新魏'],
  [/lishu|隶书/i, '隶书'],
  [/youyuan|幼圆|yuan(ti)?\b|圆体/i, '幼圆'],
  [/fangsong|fang-?song|仿宋|fzfs/i, '仿宋'],
  [/kai(ti|shu)?|楷|fzk/i, '楷体'],
  [/simhei|hei(ti)?|黑|gothic|sans ?(cjk|sc|tc|gb|cn)|hansans|pingfang|苹方|fzht|fzh|hiragino|冬青/i, '黑体'],
  [/song|sun|宋|ming|明|mincho|serif ?(cjk|sc|tc|cn)|hanserif|fzss|fzsong|batang/i, '宋体'],
]

/** Fonts for letters, likewise. */
const LATIN: readonly (readonly [RegExp, string])[] = [
  [/calibri|carlito/i, 'Calibri'],
  [/cambria|caladea/i, 'Cambria'],
  [/(arial|helvetica|liberation ?sans|nimbus ?sans|myriad|frutiger|roboto|univers).*(narrow|cond)/i, 'Arial Narrow'],
  [/cour|mono|consol|typewriter|cmtt|menlo/i, 'Courier New'],
  [/arial|helvet|verdana|tahoma|segoe|sans|roboto|frutiger|univers|myriad|gothic|futura|gill|lato|nimbussan|cmss|trebuchet/i, 'Arial'],
  [/times|serif|roman|georgia|garamond|palatino|minion|bookman|century|cmr|cmb|cmti|nimbusrom|baskerville/i, 'Times New Roman'],
]

const found = (table: typeof LATIN, name: string): string | undefined => table.find(([pattern]) => pattern.test(name))?.[1]

/** Letters beside characters of a sans-serif Chinese font. */
const SANS_EAST_ASIAN = new Set(['微软雅黑', '等线', '黑体', '幼圆'])

const known = new Map<string, OfficeFont>()

/** The font of Windows or Office that looks most like one of a PDF. */
export function officeFont({ name, isMonospace, isSerif }: PdfFont): OfficeFont {
  const key = `${name} ${isMonospace} ${isSerif}`
  const kept = known.get(key)
  if (kept) return kept
  const latin = found(LATIN, name)
  const chinese = latin === undefined || /cjk|han|sc\b|tc\b|jp\b/i.test(name) ? found(EAST_ASIAN, name) : undefined
  const byLook = isMonospace ? 'Courier New' : isSerif ? 'Times New Roman' : 'Arial'
  const font =
    chinese === undefined
      ? { latin: latin ?? byLook, eastAsia: (latin ?? byLook) === 'Times New Roman' || latin === 'Cambria' ? '宋体' : '黑体' }
      : { latin: SANS_EAST_ASIAN.has(chinese) ? 'Arial' : 'Times New Roman', eastAsia: chinese }
  known.set(key, font)
  return font
}

/** Whether a font is one of Chinese characters first of all. */
export const isEastAsianFont = ({ name }: PdfFont): boolean => found(LATIN, name) === undefined && found(EAST_ASIAN, name) !== undefined
