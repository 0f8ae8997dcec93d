import { boxAround, isEmpty, overlap, type Box } from '../box.ts'
import { boxOfClip } from '../clip.ts'
import { boundsOf } from '../outline.ts'
import type { PlacedImage } from '../page-model.ts'
import type { Painted, PaintedPath, PaintedPicture } from '../painted.ts'
import type { Size } from '#shared/resize'

/** A part of a page that only a renderer can draw, as it drew it. */
export interface Composition {
  readonly region: Box
  /** Undefined where nothing is seen. */
  readonly image: PlacedImage | undefined
}

type Thing = PaintedPath | PaintedPicture

/** More of them on a page are its pattern; each may be drawn again and again. */
const MOST = 40
/** What is smaller is not seen to be otherwise, in points. */
const SMALLEST = 2

/** What of a thing is seen, at the most. */
function boxOf(thing: Thing, page: Box): Box | undefined {
  const clip = overlap(boxOfClip(thing.clip), page)
  if (thing.kind === 'picture') return overlap(thing.image, clip)
  const bounds = boundsOf(thing.outline)
  const margin = (thing.stroke?.pen.width ?? 0) / 2
  return (
    bounds && overlap({ left: bounds[0] - margin, top: bounds[1] - margin, right: bounds[2] + margin, bottom: bounds[3] + margin }, clip)
  )
}

const isPaper = (thing: Thing): boolean => thing.kind === 'path' && thing.fill?.colour === '#ffffff' && !thing.stroke
const isSeen = ({ left, top, right, bottom }: Box): boolean => right - left > SMALLEST && bottom - top > SMALLEST
const touches = (one: Box, other: Box): boolean => !isEmpty(overlap(one, other))
const around = (one: Box, other: Box): Box =>
  boxAround([one, other].flatMap(({ left, top, right, bottom }) => [[left, top] as const, [right, bottom] as const]))

const isThing = (one: Painted): one is Thing => one.kind !== 'text'

/** Boxes as few that do not overlap. */
function merged(boxes: readonly Box[]): Box[] {
  const done: Box[] = []
  for (const box of boxes) {
    let whole = box
    for (let at = done.findIndex((one) => touches(one, whole)); at >= 0; at = done.findIndex((one) => touches(one, whole)))
      whole = around(whole, done.splice(at, 1)[0] ?? whole)
    done.push(whole)
  }
  return done
}

/** The parts of a page where something is painted through a soft mask, with tiles or a mesh, or mixed with what lies below it. */
export function composedRegions(painted: readonly Painted[], { width, height }: Size): readonly Box[] {
  if (!painted.some((one) => isThing(one) && one.composed)) return []
  const page = { left: 0, top: 0, right: width, bottom: height }
  const below: Box[] = []
  const boxes = painted.filter(isThing).flatMap((thing) => {
    const box = boxOf(thing, page)
    if (!box || isEmpty(box)) return []
    const isComposed = thing.composed === 'by itself' || (thing.composed !== undefined && below.some((one) => touches(one, box)))
    if (!isPaper(thing)) below.push(box)
    return isComposed && isSeen(box) ? [box] : []
  })
  const regions = merged(boxes)
  return regions.length > MOST ? [] : regions
}

const isWithin = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left - 1 && inner.top >= outer.top - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1

/** What is painted, each composed part as the one picture that was drawn of it, below the text that stands on it. */
export function withCompositions(
  painted: readonly Painted[],
  compositions: readonly Composition[],
  { width, height }: Size,
): readonly Painted[] {
  const page = { left: 0, top: 0, right: width, bottom: height }
  let kept = painted
  for (const { region, image } of compositions) {
    const parts = new Set(
      kept.filter((one) => {
        const box = isThing(one) ? boxOf(one, page) : undefined
        return box !== undefined && isWithin(box, region)
      }),
    )
    const [first] = parts
    const clip = { within: [0, 0, width, height] as const, shapes: [] }
    const drawn: Painted[] = image ? [{ kind: 'picture', image, opacity: 1, clip }] : []
    kept = kept.flatMap((one): readonly Painted[] => (one === first ? drawn : parts.has(one) ? [] : [one]))
  }
  return kept
}
