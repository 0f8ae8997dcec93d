import { placeIn } from './bitmap.ts'
import { isCjk } from './extents.ts'
import { lineSizes } from './line-sizes.ts'
import { spelled } from './line-text.ts'
import type { Letter, MeasuredLine } from './measure-line.ts'
import { levelsOf } from '../pdf/colour.ts'
import type { Glyph, PdfFont } from '../pdf/page-model.ts'
import { medianOf } from '#shared/effects/math/median'

/** What letters of a picture are set in: nothing tells more of their font than that they are Chinese. */
const SONG: PdfFont = {
  name: '宋体',
  isBold: false,
  isItalic: false,
  isSerif: true,
  isMonospace: false,
  isVertical: false,
  unit: 0.001,
}
const BOLD: PdfFont = { ...SONG, name: '黑体', isBold: true, isSerif: false }

/** A line this much heavier than most of its page is bold, and heavier than any regular font. */
const HEAVIER = 1.35
const HEAVY = 0.068
/** Gaps between letters up to this many sizes are theirs; wider ones part what stands on the line. */
const OWN_GAP = 0.45
/** Colours less vivid than this are greys that ink takes on paper, in levels. */
const VIVID = 50
const DARK = 130
/** Angles below this are none (in radians). */
const LEVEL = 0.06

const lightness = (colour: string): number => Number.parseInt(colour.slice(3, 5), 16)

function colourOf(colour: string, ground: string): string {
  const channels = levelsOf(colour)
  if (Math.max(...channels) - Math.min(...channels) >= VIVID) return colour
  return lightness(ground) < DARK && lightness(colour) > lightness(ground) ? '#ffffff' : '#000000'
}

const advanceOf = ({ left, right }: Letter, next: Letter | undefined, size: number): number =>
  next && next.left - right < OWN_GAP * size ? next.left - left : right - left

/** What read lines are on a page whose pixels are so many points. */
export function lineGlyphs(lines: readonly MeasuredLine[], points: number): readonly Glyph[] {
  const sizes = lineSizes(lines, points)
  const usual = medianOf(lines.flatMap(({ weight, letters }) => letters.map(() => weight))) ?? 0
  return lines.flatMap((measured, at): Glyph[] => {
    const { line, letters, base, weight, colour, ground } = measured
    const { box } = line
    const size = sizes[at] ?? measured.size * points
    const angle = Math.abs(box.angle) < LEVEL ? 0 : box.angle
    const isBold = weight > HEAVY && weight > usual * HEAVIER && letters.some(({ text }) => isCjk(text))
    const texts = spelled(letters, size / points)
    return texts.map((letter, index) => {
      const [x, y] = placeIn({ ...box, angle }, letter.left, base)
      const advance = advanceOf(letter, texts[index + 1], size / points) * points
      return {
        text: letter.text,
        x: x * points,
        y: y * points,
        advance: Math.max(advance, 0.1),
        size,
        angle,
        font: isBold ? BOLD : SONG,
        colour: colourOf(colour, ground),
        isHidden: false,
        isOutlined: false,
      }
    })
  })
}
