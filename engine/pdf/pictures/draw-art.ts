import { areaOf, boxAround, isEmpty, overlap, type Box } from '../box.ts'
import type { HeldFont } from '../held-fonts.ts'
import type { PageModel, PlacedImage, Rule } from '../page-model.ts'
import type { Painted } from '../painted.ts'
import { openDrawable, type Drawable, type Drawn } from '../raster.ts'
import { artRegions } from './art-regions.ts'
import { composedRegions, type Composition } from './composed.ts'
import { encodePicture } from './encode-picture.ts'
import { digestOf, type PictureStore } from './picture-store.ts'

/** Drawings small enough to be looked at closely are drawn finer. */
const DPI = { large: 150, small: 200 }
const SMALL = 200
const MAX_PIXELS = 6e6
const MAX_PAGE_PIXELS = 10e6
/** A drawing of this length may be a chart, whose lines touch it, again and again, and are so much longer than it at most; in points. */
const LARGE = 80
const LONGER = 1.6
const TOUCH = 2
const ROUNDS = 3
/** On a page with more drawings than this, what is drawn is taken for its pattern. */
const MAX_DRAWINGS = 60
/** A drawing's own lines and grounds are part of its picture unless it holds so much text that it may be a table. */
const MUCH_TEXT = 0.25

/** A document as PDFium draws it, opened when its first drawing comes. */
export class ArtDrawer {
  readonly #path: string
  readonly #password: string | undefined
  #drawable: Promise<Drawable> | undefined

  constructor(path: string, password: string | undefined) {
    this.#path = path
    this.#password = password
  }

  /** The font files that a page's text is painted with. */
  async fonts(number: number): Promise<readonly HeldFont[]> {
    return (await this.#open()).fonts(number)
  }

  /** A whole page with all that is on it. */
  async page(number: number, dpi: number): Promise<Drawn> {
    return (await this.#open()).draw(number, { dpi, maxPixels: MAX_PAGE_PIXELS })
  }

  /** A whole page without its text. */
  async ground(number: number, dpi: number): Promise<Drawn> {
    return (await this.#open()).draw(number, { dpi, maxPixels: MAX_PAGE_PIXELS, withoutText: true })
  }

  /** A part of a page without its text, as a file; undefined where nothing is seen there. */
  async draw(number: number, region: Box, store: PictureStore): Promise<PlacedImage | undefined> {
    const dpi = Math.max(region.right - region.left, region.bottom - region.top) < SMALL ? DPI.small : DPI.large
    const options = { dpi, region, maxPixels: MAX_PIXELS, withoutText: true, isTransparent: true }
    const { data, width, height } = (await this.#open()).draw(number, options)
    if (data.every((level, at) => at % 4 !== 3 || level === 0)) return undefined
    const grid = { width, height, channels: 4, data }
    const picture = await store.keep(digestOf(data, `${width}`), async () => ({ ...(await encodePicture(grid)), width, height }))
    return { ...region, picture }
  }

  #open(): Promise<Drawable> {
    return (this.#drawable ??= openDrawable(this.#path, this.#password))
  }

  async close(): Promise<void> {
    const drawable = await this.#drawable?.catch(() => undefined)
    drawable?.close()
  }
}

const isInside = (inner: Box, outer: Box): boolean => {
  const both = overlap(inner, outer)
  return !isEmpty(both) && areaOf(both) >= areaOf(inner) * 0.95
}

const isFree = (box: Box, regions: readonly Box[]): boolean => !regions.some((region) => isInside(box, region))

/** How much of a region text covers. */
function textShare({ glyphs }: PageModel, region: Box): number {
  const inside = glyphs.filter(
    ({ x, y, isHidden }) => !isHidden && x >= region.left && x <= region.right && y >= region.top && y <= region.bottom,
  )
  const area = (region.right - region.left) * (region.bottom - region.top)
  return inside.reduce((sum, { advance, size }) => sum + advance * size, 0) / area
}

const boxOfRule = ({ isHorizontal, from, to, at, width }: Rule): Box => {
  const [low, high] = [at - Math.max(width, 0.1) / 2, at + Math.max(width, 0.1) / 2]
  return isHorizontal ? { left: from, right: to, top: low, bottom: high } : { top: from, bottom: to, left: low, right: high }
}

const longest = ({ left, top, right, bottom }: Box): number => Math.max(right - left, bottom - top)

/** A chart with its axes and bars: rules and rectangles that touch a large drawing and are not much longer than it. */
function grown(region: Box, others: readonly Box[]): Box {
  if (longest(region) < LARGE) return region
  let whole = region
  for (let round = 0; round < ROUNDS; round++)
    for (const box of others) {
      const near = { left: box.left - TOUCH, top: box.top - TOUCH, right: box.right + TOUCH, bottom: box.bottom + TOUCH }
      if (!isEmpty(overlap(near, whole)) && longest(box) <= longest(region) * LONGER) whole = boxAround(cornersOf(whole, box))
    }
  return whole
}

const cornersOf = (...boxes: readonly Box[]): (readonly [number, number])[] =>
  boxes.flatMap(({ left, top, right, bottom }) => [[left, top] as const, [right, bottom] as const])

/** A page, and what was drawn of it. */
export interface DrawnPage {
  readonly page: PageModel
  /** What is painted beside them, and where, in place of what only a renderer can draw. */
  readonly compositions: readonly Composition[]
}

/**
 * A page with what it draws by paths, or so that only a renderer can draw it, as pictures, text apart: that stays text. Pictures within such a part are
 * in its picture, and so are a drawing's lines and grounds where it does not hold a table's worth of text.
 */
export async function withArt(page: PageModel, painted: readonly Painted[], drawer: ArtDrawer, store: PictureStore): Promise<DrawnPage> {
  const others = [...page.rules.map(boxOfRule), ...page.fills]
  const composed = composedRegions(painted, page)
  const art = artRegions(painted, page)
    .map((region) => grown(region, others))
    .filter((region) => isFree(region, composed))
  const draw = async (regions: readonly Box[]): Promise<Composition[]> => {
    const drawn: Composition[] = []
    for (const region of regions) drawn.push({ region, image: await drawer.draw(page.number, region, store) })
    return drawn
  }
  const compositions = await draw(composed)
  const drawings = (await draw(art.length > MAX_DRAWINGS ? [] : art)).filter(({ image }) => image)
  const all = [...compositions, ...drawings]
  if (all.length === 0) return { page, compositions }
  const held = all.map(({ region }) => region)
  const sparse = drawings.map(({ region }) => region).filter((region) => textShare(page, region) < MUCH_TEXT)
  return {
    page: {
      ...page,
      images: [...page.images.filter((image) => isFree(image, held)), ...all.flatMap(({ image }) => image ?? [])],
      fills: page.fills.filter((fill) => isFree(fill, sparse)),
      rules: page.rules.filter((rule) => isFree(boxOfRule(rule), sparse)),
    },
    compositions,
  }
}
