import type { PageModel } from '../pdf/page-model.ts'

/** A picture that covers this share of its page is the page. */
const COVERED = 0.7
/** A page of so few letters has no text layer to speak of (a number, a stamp of the scanner's). */
const FEW = 12
/** A text layer with this share of letters that stand for nothing is garbled. */
const GARBLED = 0.15

/** Private use, replacement characters and controls: what a broken table of a font's characters leaves. */
const MEANINGLESS = /[\p{Co}\p{Cc}\p{Cn}\uFFFD]/u

const lettersOf = ({ glyphs }: PageModel): readonly string[] => glyphs.map(({ text }) => text).filter((text) => text.trim() !== '')

/** Whether a page is a picture of one: most of it is covered by pictures, and hardly any letters stand on it. */
export function isScan(page: PageModel): boolean {
  const { width, height, images } = page
  if (lettersOf(page).length > FEW) return false
  const covered = images.reduce((sum, { left, top, right, bottom }) => {
    const [wide, high] = [Math.min(right, width) - Math.max(left, 0), Math.min(bottom, height) - Math.max(top, 0)]
    return sum + Math.max(0, wide) * Math.max(0, high)
  }, 0)
  return covered > COVERED * width * height
}

/** Whether a page's letters can't be read as text, though they may look right: their font doesn't say what they stand for. */
export function isGarbled(page: PageModel): boolean {
  const letters = lettersOf(page)
  return letters.length > 0 && letters.filter((text) => MEANINGLESS.test(text)).length > GARBLED * letters.length
}

/**
 * Whether what a page says must be taken from its picture: a scan, one whose text layer was laid under its picture by somebody else's recognition, one
 * that is garbled, and one whose letters are drawn.
 */
export function needsRecognition(page: PageModel): boolean {
  const letters = page.glyphs.filter(({ text }) => text.trim() !== '')
  const hidden = letters.filter(({ isHidden }) => isHidden).length
  return hidden * 2 >= letters.length || isScan(page) || isGarbled(page)
}
