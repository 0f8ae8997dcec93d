/** Where the ink of letters ends, above their baseline, in parts of their size; of most fonts. */
export interface Extents {
  readonly top: number
  readonly bottom: number
}

const CJK = /[\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]|[\ud800-\udbff]/
const FLAT = /[一二三]/
const classes: readonly (readonly [RegExp, Extents])[] = [
  [/[()[\]{}|（）《》【】「」〔〕]/, { top: 0.78, bottom: -0.16 }],
  [/[A-Z0-9%&#]/, { top: 0.71, bottom: 0 }],
  [/[gpqy]/, { top: 0.5, bottom: -0.21 }],
  [/[jQ]/, { top: 0.71, bottom: -0.2 }],
  [/[,;]/, { top: 0.1, bottom: -0.15 }],
  [/[bdfhkltiβ]/, { top: 0.73, bottom: 0 }],
  [/[a-z]/, { top: 0.5, bottom: 0 }],
]

/** Whether a character is as wide as it is high, of Chinese, Japanese or Korean writing. */
export const isCjk = (text: string): boolean => CJK.test(text)

/** Whether a character stands in Chinese type: its letters and marks, which are as wide as high. */
export const isFullWidth = (text: string): boolean => isCjk(text) || /[\u3000-\u303f\uff01-\uff60“”‘’…—]/.test(text)

function extentsOf(character: string): Extents | undefined {
  if (isCjk(character)) return FLAT.test(character) ? undefined : { top: 0.84, bottom: -0.08 }
  return classes.find(([pattern]) => pattern.test(character))?.[1]
}

/** How far the ink of a text reaches; undefined where its characters (dashes, points) don't tell. */
export function textExtents(characters: readonly string[]): Extents | undefined {
  const found = characters.flatMap((character) => extentsOf(character) ?? [])
  if (found.length === 0) return undefined
  return { top: Math.max(...found.map(({ top }) => top)), bottom: Math.min(...found.map(({ bottom }) => bottom)) }
}
