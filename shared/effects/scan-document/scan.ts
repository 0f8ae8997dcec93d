import { clean } from './clean.ts'
import { findPage } from './find-page.ts'
import { pageSize } from './proportions.ts'
import { isPageLike, projected, projectionTo, scaledQuad, wholeQuad, type Point, type Quad } from './quad.ts'
import { skewOf } from './skew.ts'
import { isPaper, paperOf } from './paper.ts'
import { shrunk } from './shrunk.ts'
import { warped, type Layout } from './warp.ts'
import type { Rgb } from '#shared/effects/effect'
import { applyTo, stripsOf } from '#shared/effects/parts'
import type { Size } from '#shared/resize'
import type { OptionsOf } from '#shared/tools/index'

/** How a document is to be made. */
export type ScanOptions = Omit<OptionsOf<'scan-document'>, 'fileName'>

/** Angles below this are not worth a resampling, in degrees; nor are those that move no end of a page by a pixel. */
const LEAST_TURN = 0.1
const leastTurn = ({ width, height }: Size): number => Math.max(LEAST_TURN, 90 / Math.max(width, height))
/** The longer side of the copy that a page's angle and paper are found in. */
const LOOK_SIDE = 1200

/** How much of a page its edges take, which are blurred and cast a little shadow. */
const RIM = 0.003

/** Corners without a found page's rim. */
function inner(quad: Quad | undefined): Quad | undefined {
  if (!quad) return undefined
  const projection = projectionTo(quad)
  const at = (x: number, y: number): Point => projected(projection, { x, y })
  return [at(RIM, RIM), at(1 - RIM, RIM), at(1 - RIM, 1 - RIM), at(RIM, 1 - RIM)]
}

/** Corners as options hold them. */
export const quadOf = (corners: Extract<ScanOptions['corners'], { by: 'manual' }>): Quad => [
  { x: corners.x1, y: corners.y1 },
  { x: corners.x2, y: corners.y2 },
  { x: corners.x3, y: corners.y3 },
  { x: corners.x4, y: corners.y4 },
]

/** The corners a page is cut out by, as parts of the picture; undefined for the whole picture. Corners that hold nothing count as none. */
export function cornersOf(picture: Rgb, { crop, corners }: Pick<ScanOptions, 'crop' | 'corners'>): Quad | undefined {
  if (!crop) return undefined
  if (corners.by === 'auto') return inner(findPage(picture)?.quad)
  return quadOf(corners)
}

const whiteOf = (values: Float32Array, spared: Float32Array): number => {
  const all = values.filter((_, at) => spared[at] === 0).toSorted()
  // Levels of paper are one higher than they are.
  return Math.min(255, Math.max(0, Math.round((all[all.length >> 1] ?? 256) - 1)))
}

/** How a page lies in a photo, and how large and how far turned it comes out; undefined where the picture stays as it lies. */
export function layoutOf(photo: Rgb, corners: Quad | undefined, straighten: boolean): Layout | undefined {
  const quad = corners ? scaledQuad(corners, photo.width, photo.height) : wholeQuad(photo)
  const page = corners ? pageSize(quad, photo) : { width: photo.width, height: photo.height }
  const flat: Layout = { ...page, quad, page, turn: 0, paper: [255, 255, 255] }
  if (!straighten) return corners ? flat : undefined
  const scale = Math.min(1, LOOK_SIDE / Math.max(page.width, page.height))
  const small: Size = { width: Math.max(1, Math.round(page.width * scale)), height: Math.max(1, Math.round(page.height * scale)) }
  const seen = corners ? warped(photo, { ...flat, ...small, page: small }) : shrunk(photo, LOOK_SIDE)
  const ground = paperOf(seen)
  const skew = isPaper(ground) ? skewOf(seen) : 0
  if (Math.abs(skew) < leastTurn(page)) return corners ? flat : undefined
  const { red, green, blue, spared } = ground
  const paper = [whiteOf(red, spared), whiteOf(green, spared), whiteOf(blue, spared)] as const
  return { ...(corners ? page : turnedSize(page, skew)), quad, page, turn: -skew, paper }
}

/** Room for all of a page after it was turned. */
function turnedSize({ width, height }: Size, degrees: number): Size {
  const [sin, cos] = [Math.abs(Math.sin((degrees * Math.PI) / 180)), Math.cos((degrees * Math.PI) / 180)]
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) }
}

/** A strength as a share: 0 nothing, 0.5 the usual. */
export const amountOf = (strength: ScanOptions['strength']): number => (strength.by === 'auto' ? 0.5 : strength.amount / 100)

/** A page cleaned as options say; undefined where nothing is to be done. */
export function cleaned(page: Rgb, { mode, strength }: ScanOptions, progress: (share: number) => void = () => undefined): Rgb | undefined {
  const cleaner = clean.measure(page, { mode, amount: amountOf(strength) }, {})
  if (!cleaner) return undefined
  const data = new Uint8Array(page.data.length)
  const strips = stripsOf(page)
  for (const [at, strip] of strips.entries()) {
    data.set(applyTo(clean, page, cleaner, strip).data, strip.top * page.width * 3)
    progress((at + 1) / strips.length)
  }
  return { ...page, data }
}

/** Whether four corners, as parts of a picture, hold a page. */
export const areCorners = (corners: Quad, { width, height }: Size): boolean =>
  isPageLike(scaledQuad(corners, width, height), { width, height })
