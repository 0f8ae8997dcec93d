import type { PageModel } from '../pdf/page-model.ts'

/** A picture that covers this share of its page is the page. */
const COVERED = 0.7
/** A page of so few letters has no text layer to speak of (a number, a stamp of the scanner's). */
const FEW = 12
/** A text layer with this share of letters of which nobody knows what they stand for is garbled. */
const GARBLED = 0.15

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

/** Whether too many of a page's letters can't be read as text, though they may look right: their font doesn't say what they stand for. */
export const isGarbled = ({ garbled = 0 }: PageModel): boolean => garbled > GARBLED

/**
 * Whether what a page says must be taken from its picture: a scan, one whose text layer was laid under its picture by somebody else's recognition, one
 * that is garbled, and one whose letters are drawn.
 */
export function needsRecognition(page: PageModel): boolean {
  const letters = page.glyphs.filter(({ text }) => text.trim() !== '')
  const hidden = letters.filter(({ isHidden }) => isHidden).length
  return hidden * 2 >= letters.length || isScan(page) || isGarbled(page)
}
