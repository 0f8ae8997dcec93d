import type { Box, Picture } from './document-model.ts'
import { bottomOf, topOf } from './lines.ts'
import type { Piece } from './pieces.ts'
import { areaOf } from '../pdf/box.ts'
import type { PageModel, PlacedImage } from '../pdf/page-model.ts'

/** Smaller pictures are ornaments: they stay where they are, in points. */
const LEAST = 12
/** A picture of more than this share of its page lies behind it. */
const BACKGROUND = 0.5
/** Text that covers more than this share of a picture stands on it as on paper; less are words in the picture. */
const COVERED = 0.25
/** Edges touch that overlap by no more, in points. */
const TOUCH = 2

/** What a page's pictures are to its text. */
export interface Placed {
  /** In the way of text: they stand in its flow, or beside it. */
  readonly inFlow: readonly PlacedImage[]
  /** Under text, at the page's edges, over one another, or small. */
  readonly aside: readonly PlacedImage[]
  /** Pieces of text that are words in a picture. */
  readonly labels: ReadonlySet<Piece>
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left + TOUCH < b.right && b.left + TOUCH < a.right && a.top + TOUCH < b.bottom && b.top + TOUCH < a.bottom

const isIn = ({ left, right, base, size }: Piece, box: Box): boolean => {
  const [x, y] = [(left + right) / 2, base - 0.35 * size]
  return x > box.left && x < box.right && y > box.top + TOUCH && y < box.bottom - TOUCH
}
const boxOf = (piece: Piece): Box => ({ left: piece.left, right: piece.right, top: topOf(piece), bottom: bottomOf(piece) })

/** Whether a picture is a part of the page's ground: most of it, or a band at its edge. */
const isGround = (image: PlacedImage, { width, height }: PageModel): boolean =>
  areaOf(image) > BACKGROUND * width * height ||
  image.left < TOUCH ||
  image.top < TOUCH ||
  image.right > width - TOUCH ||
  image.bottom > height - TOUCH

/** Tells which of a page's pictures stand in its flow. */
export function placedPictures(page: PageModel, pieces: readonly Piece[], tables: readonly Box[]): Placed {
  const inFlow: PlacedImage[] = []
  const aside: PlacedImage[] = []
  const labels = new Set<Piece>()
  for (const image of page.images) {
    const isSmall = image.right - image.left < LEAST || image.bottom - image.top < LEAST
    const isCrossed =
      tables.some((table) => overlaps(table, image)) || page.images.some((other) => other !== image && overlaps(other, image))
    const on = isSmall || isGround(image, page) ? [] : pieces.filter((piece) => isIn(piece, image))
    const isPaper = on.reduce((sum, piece) => sum + areaOf(boxOf(piece)), 0) > COVERED * areaOf(image)
    if (!isPaper && !isCrossed) for (const piece of on) labels.add(piece)
    // A picture whose blank margin lies under text of another column is no part of a column.
    const isTouched = pieces.some((piece) => overlaps(boxOf(piece), image) && !isIn(piece, image))
    if (isSmall || isCrossed || isPaper || isTouched || isGround(image, page)) aside.push(image)
    else inFlow.push(image)
  }
  return { inFlow, aside, labels }
}

/** A picture that stands where it stands; nothing where it is not held. */
export function pictureOf({ picture, left, top, right, bottom }: PlacedImage, texts: readonly Box[]): Picture[] {
  const box = { left, top, right, bottom }
  return picture ? [{ kind: 'picture', picture, ...box, isBehind: texts.some((text) => overlaps(text, box)) }] : []
}
