import { isEmpty, overlap, type Box } from '../box.ts'
import type { Fill, PlacedImage } from '../page-model.ts'
import { faded, turned } from './alter.ts'
import { fromTop, orientationOf, type DrawnImage } from './drawn-image.ts'
import { encodePicture } from './encode-picture.ts'
import type { Tiling } from './join-strips.ts'
import type { JpegStreams } from './jpeg-streams.ts'
import { joinedPicture, loadPicture, plainColour, type LoadedPicture } from './load-picture.ts'
import type { PictureStore } from './picture-store.ts'
import { cropped, oriented, type Orientation } from './rearrange.ts'
import type { Samples } from './samples.ts'
import type { Size } from '#shared/resize'

/** What pictures are placed with. */
export interface Placing {
  readonly page: Size
  /** What pdf.js handed over for each source. */
  readonly handed: ReadonlyMap<unknown, unknown>
  readonly streams: JpegStreams
  readonly store: PictureStore
}

/** What a picture is to a layout: a file in its place, or a rectangle of one colour. */
export interface Placed {
  readonly image?: PlacedImage
  readonly plain?: Fill
}

/** What is fainter is not seen. */
const FAINTEST = 0.02
/** A picture of which no more is cut off is stored whole: points, and part of its side. */
const SLIVER = { points: 1.5, part: 0.02 }
/** So far beyond the page pictures may reach and stay whole (bleed), in points. */
const BLEED = 30

/** A part of a picture in whole pixels of its upright rows. */
interface Part extends Size {
  readonly left: number
  readonly top: number
}

const lengthsOf = ({ left, top, right, bottom }: Box): Size => ({ width: right - left, height: bottom - top })

const isSliver = (cut: number, length: number): boolean => cut <= SLIVER.points || cut <= length * SLIVER.part

/** What of an upright picture is seen; undefined where that is all of it. */
function partOf(box: Box, seen: Box, { width, height }: Size): Part | undefined {
  const [whole, shown] = [lengthsOf(box), lengthsOf(seen)]
  const cutX = whole.width - shown.width
  const cutY = whole.height - shown.height
  if (isSliver(cutX, whole.width) && isSliver(cutY, whole.height)) return undefined
  const column = (x: number): number => ((x - box.left) / whole.width) * width
  const row = (y: number): number => ((y - box.top) / whole.height) * height
  const left = Math.min(width - 1, Math.floor(column(seen.left) + 0.01))
  const top = Math.min(height - 1, Math.floor(row(seen.top) + 0.01))
  return {
    left,
    top,
    width: Math.max(1, Math.ceil(column(seen.right) - 0.01) - left),
    height: Math.max(1, Math.ceil(row(seen.bottom) - 0.01) - top),
  }
}

/** Where a part of a picture's pixels stands. */
const boxOfPart = (box: Box, { width, height }: Size, part: Part): Box => {
  const [x, y] = [(box.right - box.left) / width, (box.bottom - box.top) / height]
  return {
    left: box.left + part.left * x,
    top: box.top + part.top * y,
    right: box.left + (part.left + part.width) * x,
    bottom: box.top + (part.top + part.height) * y,
  }
}

const isAsItWas = ({ isTransposed, isMirrored, isUpsideDown }: Orientation): boolean => !isTransposed && !isMirrored && !isUpsideDown

/** Stores an upright picture, or what of it is seen. */
async function placeUpright({ box, image, seen, loaded }: Seen, orientation: Orientation, { store }: Placing): Promise<Placed> {
  const size = orientation.isTransposed ? { width: loaded.height, height: loaded.width } : loaded
  const part = partOf(box, seen, size)
  const colour = image.opacity > 1 - FAINTEST ? await plainColour(loaded) : undefined
  if (colour !== undefined) return { plain: { ...seen, colour } }
  const at = part ? boxOfPart(box, size, part) : box
  const key = JSON.stringify([loaded.identity, orientation, part, image.opacity])
  const picture = await store.keep(key, async () => {
    const isWhole = !part && isAsItWas(orientation) && image.opacity > 1 - FAINTEST
    if (loaded.jpeg && isWhole) return { format: 'jpeg', bytes: loaded.jpeg, width: loaded.width, height: loaded.height }
    const upright = oriented(faded(await loaded.samples(), image.opacity), orientation)
    const shown: Samples = part ? cropped(upright, part.left, part.top, part.width, part.height) : upright
    return { ...(await encodePicture(shown)), width: shown.width, height: shown.height }
  })
  return { image: { ...at, map: image.map, picture } }
}

/** Stores a picture that stands slanted, with what shows around it as alpha. */
async function placeSlanted({ box, image, loaded }: Seen, { store }: Placing): Promise<Placed> {
  const map = fromTop(image.map)
  const key = JSON.stringify([loaded.identity, map.slice(0, 4), image.opacity])
  const picture = await store.keep(key, async () => {
    const grid = await turned(faded(await loaded.samples(), image.opacity), map)
    return { ...(await encodePicture(grid)), width: grid.width, height: grid.height }
  })
  return { image: { ...box, map: image.map, picture } }
}

/** A picture of which something is seen. */
interface Seen {
  readonly image: DrawnImage
  readonly box: Box
  readonly seen: Box
  readonly loaded: LoadedPicture
}

const firstOf = (tiling: Tiling): DrawnImage => (tiling.kind === 'one' ? tiling.image : firstOf(tiling.parts[0]))

async function loadTiling(tiling: Tiling, placing: Placing): Promise<LoadedPicture | undefined> {
  if (tiling.kind === 'one') return loadPicture(placing.handed.get(tiling.image.source), tiling.image, placing.streams)
  const parts: LoadedPicture[] = []
  for (const part of tiling.parts) {
    const loaded = await loadTiling(part, placing)
    if (!loaded) return undefined
    parts.push(loaded)
  }
  return joinedPicture(parts, tiling.kind)
}

/** Stores what pictures that tile a rectangle show, each once and upright; nothing for what is not seen. */
export async function placeTiling(tiling: Tiling, placing: Placing): Promise<Placed[]> {
  const { box } = tiling
  const image = firstOf(tiling)
  const { width, height } = placing.page
  const { left, top, right, bottom } = image.clip
  const seen = overlap(box, {
    left: left <= 0 ? -BLEED : left,
    top: top <= 0 ? -BLEED : top,
    right: right >= width ? width + BLEED : right,
    bottom: bottom >= height ? height + BLEED : bottom,
  })
  if (image.opacity < FAINTEST || isEmpty(overlap(seen, { left: 0, top: 0, right: width, bottom: height }))) return []
  const loaded = await loadTiling(tiling, placing)
  if (!loaded && tiling.kind !== 'one') return (await Promise.all(tiling.parts.map((part) => placeTiling(part, placing)))).flat()
  if (!loaded) return [{ image: { ...seen, map: image.map } }]
  const orientation = orientationOf(image)
  const one = { image, box, seen, loaded }
  return [orientation ? await placeUpright(one, orientation, placing) : await placeSlanted(one, placing)]
}
