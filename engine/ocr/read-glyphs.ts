import { aligned, type Place } from './align-reading.ts'
import { cropped, type Bitmap } from './bitmap.ts'
import { confidenceOf, type ReadCharacter } from './ctc.ts'
import { glyphLines, type GlyphLine } from './glyph-lines.ts'
import { GlyphVotes } from './glyph-votes.ts'
import { LINE_PX, type Networks } from './networks.ts'
import type { GlyphReader, UnreadPage } from '../pdf/glyph-reader.ts'
import type { Glyph } from '../pdf/page-model.ts'
import type { Drawn } from '../pdf/raster.ts'

/** Letters of 8 points are 28 pixels high. */
const DPI = 250
const POINTS_PER_INCH = 72
/** What a line's picture reaches above its baseline and below it, in sizes. */
const ABOVE = 1
const BELOW = 0.3
const BESIDE = 0.15
/** Lines read at most on one page, and in one document; most glyphs of a document are known after its first pages. */
const MAX_LINES_PAGE = 120
const MAX_LINES = 2_000
/** Lines that tell whether a doubted font is right. */
const SAMPLES = 4
/** Below this nothing is learnt from a line, or from a character. */
const SURE_LINE = 0.6
const SURE = 0.5
/** A line in which not every glyph was read, or something else beside them, counts less. */
const UNEVEN = 0.6
/** A glyph whose box differs less than this in its light shows nothing. */
const BLANK = 40
const EDGE = 0.2

/** The signs of Chinese type by those that look alike. */
const WIDE: Readonly<Record<string, string>> = { ',': '，', ':': '：', ';': '；', '?': '？', '!': '！', '(': '（', ')': '）' }
const NARROW = 0.72

/** A reading as wide as its glyph: recognition doesn't tell a wide comma from a narrow one. */
function fitting(text: string, { advance, size }: Glyph): string {
  const wide = advance / size
  return wide > 0.9 ? (WIDE[text] ?? text) : wide < NARROW ? text.normalize('NFKC') : text
}

function pictureOf(bitmap: Bitmap, dpi: number, { from, to, base, size, angle }: GlyphLine): Bitmap {
  const scale = dpi / POINTS_PER_INCH
  const [u, v] = [(from + to) / 2, base + ((BELOW - ABOVE) / 2) * size]
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const width = (to - from + 2 * BESIDE * size) * scale
  const height = (ABOVE + BELOW) * size * scale
  const quad = { x: (u * cos - v * sin) * scale, y: (u * sin + v * cos) * scale, width, height, angle }
  return cropped(bitmap, quad, { width: Math.max(8, Math.round(((width / height) * LINE_PX) / 8) * 8), height: LINE_PX })
}

/** Whether nothing is seen of a glyph in a line's picture; what reaches in from those beside it is not looked at. */
function isBlank({ data, width, height }: Bitmap, { from, to }: Place): boolean {
  let [least, most] = [255, 0]
  const edge = (to - from) * EDGE
  const [first, last] = [Math.round((from + edge) * width), Math.round((to - edge) * width)]
  for (let x = Math.max(0, first); x < Math.min(width, Math.max(last, first + 1)); x++)
    for (let y = 0; y < height; y++) {
      const level = data[(y * width + x) * 4 + 1] ?? 0
      if (level < least) least = level
      if (level > most) most = level
    }
  return most - least < BLANK
}

/** Letters that fonts draw as one glyph. */
const LIGATURE = /^(f[fijlt]|ff[il]|tt|Th)$/

/** What a glyph's reading says together with one beside it that belongs to no other glyph. */
function withLigature(read: readonly ReadCharacter[], at: number, taken: ReadonlySet<number>, { from, to }: Place): string {
  const isFree = (index: number): boolean => {
    const one = read[index]
    return one !== undefined && !taken.has(index) && one.at > from && one.at < to
  }
  const text = read[at]?.text ?? ''
  const [before, behind] = [isFree(at - 1) ? (read[at - 1]?.text ?? '') : '', isFree(at + 1) ? (read[at + 1]?.text ?? '') : '']
  return [before + text + behind, before + text, text + behind].find((joined) => LIGATURE.test(joined)) ?? text
}

/** Reads glyphs by their lines, and remembers what each was read as. */
class LineReader implements GlyphReader {
  readonly #votes = new GlyphVotes()
  readonly #networks: () => Promise<Networks | undefined>
  readonly #hasTime: () => boolean
  #lines = 0

  constructor(networks: () => Promise<Networks | undefined>, hasTime: () => boolean) {
    this.#networks = networks
    this.#hasTime = hasTime
  }

  async read({ glyphs, isUnknown, doubtful, draw }: UnreadPage): Promise<ReadonlyMap<Glyph, string>> {
    const votes = this.#votes
    const lines = glyphLines(glyphs)
    const isDoubted = (glyph: Glyph): boolean => doubtful.has(glyph.font) && !isUnknown(glyph)
    const isAsked = (glyph: Glyph): boolean => isUnknown(glyph) || (isDoubted(glyph) && votes.isFalse(glyph) === true)
    let drawn: Promise<Drawn> | undefined
    const readLine = async (line: GlyphLine): Promise<void> => {
      const networks = await this.#networks()
      if (!networks) return
      drawn ??= draw(DPI)
      const { dpi, ...bitmap } = await drawn
      await this.#readLine(line, pictureOf(bitmap, dpi, line), networks, (glyph) =>
        isUnknown(glyph) ? 'unknown' : isDoubted(glyph) ? 'doubted' : 'known',
      )
    }
    for (const font of doubtful)
      for (const line of byNumber(lines, (glyph) => glyph.font === font && isDoubted(glyph) && votes.isFalse(glyph) === undefined).slice(
        0,
        SAMPLES,
      ))
        await readLine(line)
    const rest = byNumber(lines, isAsked).slice(0, MAX_LINES_PAGE)
    for (const line of rest) {
      if (this.#lines >= MAX_LINES || !this.#hasTime()) break
      if (line.glyphs.some(({ glyph }) => isAsked(glyph) && !votes.isSettled(glyph))) await readLine(line)
    }
    return new Map(
      glyphs.filter(isAsked).flatMap((glyph) => {
        const text = votes.textOf(glyph)
        return text === undefined ? [] : [[glyph, fitting(text, glyph)] as const]
      }),
    )
  }

  /** Reads one line and writes down what it tells of its glyphs. */
  async #readLine(line: GlyphLine, picture: Bitmap, networks: Networks, kindOf: (glyph: Glyph) => Kind): Promise<void> {
    this.#lines++
    const ems = (line.to - line.from) / line.size + 2 * BESIDE
    const share = (u: number): number => ((u - line.from) / line.size + BESIDE) / ems
    const all = line.glyphs.map(({ glyph, left, right }) => ({ glyph, kind: kindOf(glyph), from: share(left), to: share(right) }))
    const seen = all.filter(({ glyph, kind, from, to }) => {
      const isSeen = kind === 'known' || !isBlank(picture, { from, to })
      if (!isSeen && kind === 'unknown') this.#votes.add(glyph, ' ', 1)
      return isSeen
    })
    const read = (await networks.read(picture)).filter(({ text }) => text.trim() !== '')
    if (confidenceOf(read) < SURE_LINE) return
    const places = seen.map(({ glyph, kind, from, to }): Place => ({ from, to, ...(kind === 'known' && { known: glyph.text }) }))
    const partners = aligned(places, read, ems)
    const taken = new Set(partners)
    const weight = places.length === read.length && !taken.has(-1) ? 1 : UNEVEN
    for (const [at, { glyph, kind, from, to }] of seen.entries()) {
      const partner = partners[at] ?? -1
      const { confidence = 0 } = read[partner] ?? {}
      if (kind === 'known' || confidence < SURE) continue
      const text = withLigature(read, partner, taken, { from, to })
      if (kind === 'doubted') this.#votes.compare(glyph, text)
      this.#votes.add(glyph, text, weight * confidence)
    }
  }
}

/** What is known of a glyph before its line is read. */
type Kind = 'known' | 'doubted' | 'unknown'

/** Lines with such glyphs, those with the most first: what stands in a long line is read more surely. */
function byNumber(lines: readonly GlyphLine[], is: (glyph: Glyph) => boolean): readonly GlyphLine[] {
  const counted = lines.map((line) => ({ line, count: line.glyphs.filter(({ glyph }) => is(glyph)).length }))
  return counted
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ line }) => line)
}

/** A reader for one document. Without networks, and when time is short, glyphs stay what their fonts say. */
export const openGlyphReader = (networks: () => Promise<Networks | undefined>, hasTime: () => boolean): GlyphReader =>
  new LineReader(networks, hasTime)
