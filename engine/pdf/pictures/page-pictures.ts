import sharp from 'sharp'
import type { Box } from '../box.ts'
import { rectangle as outlineOf } from '../outline.ts'
import type { Fill, Glyph, PlacedImage, Rule } from '../page-model.ts'
import type { Painted, PaintedPicture } from '../painted.ts'
import { rectangle } from '../show-path.ts'
import type { DrawnImage } from './drawn-image.ts'
import { tilingsOf, type Tiling } from './join-strips.ts'
import { placeTiling, type Placed, type Placing } from './place-images.ts'
import type { Size } from '#shared/resize'

/** What a page's pictures are to a layout. */
export interface PagePictures {
  readonly images: readonly PlacedImage[]
  readonly rules: readonly Rule[]
  readonly fills: readonly Fill[]
  /** What became of each by the place where it was drawn; of those that are parts of one, the first stands for all. */
  readonly byPlace: ReadonlyMap<Box, readonly Placed[]>
}

const placesOf = (tiling: Tiling): readonly Box[] => (tiling.kind === 'one' ? [tiling.image.place] : tiling.parts.flatMap(placesOf))

/** Stores a page's pictures as files, in the order in which they are painted. */
export async function storePictures(drawn: readonly DrawnImage[], placing: Placing): Promise<PagePictures> {
  const byPlace = new Map<Box, readonly Placed[]>()
  for (const tiling of tilingsOf(drawn)) {
    const [first, ...others] = placesOf(tiling)
    if (first) byPlace.set(first, await placeTiling(tiling, placing))
    for (const other of others) byPlace.set(other, [])
  }
  const all = [...byPlace.values()].flat()
  const flat = all.flatMap(({ plain }) => (plain ? [rectangle(plain, plain.colour)] : []))
  return {
    images: all.flatMap(({ image }) => (image ? [image] : [])),
    rules: flat.flatMap(({ rule }) => (rule ? [rule] : [])),
    fills: flat.flatMap(({ fill }) => (fill ? [fill] : [])),
    byPlace,
  }
}

const asPainted = (drawn: PaintedPicture, { image, plain }: Placed): Painted[] => {
  // The file is as faint as the picture was painted.
  if (image) return [{ ...drawn, image, opacity: 1 }]
  if (!plain) return []
  const { left, top, right, bottom, colour } = plain
  const outline = outlineOf([left, top, right, bottom])
  return [{ kind: 'path', outline, isEvenOdd: false, clip: drawn.clip, fill: { colour, opacity: 1 } }]
}

/** What is painted, with pictures as they are stored. */
export const withPictures = (painted: readonly Painted[], { byPlace }: PagePictures): readonly Painted[] =>
  painted.flatMap((one) => (one.kind === 'picture' ? (byPlace.get(one.image) ?? []).flatMap((placed) => asPainted(one, placed)) : [one]))

/** A picture that takes so much of its page is a scan of it. */
const WHOLE = 0.6

/** A page's glyphs, those hidden that a scan of the page lies over: they are its text layer. */
export async function underPictures(
  glyphs: readonly Glyph[],
  page: Size,
  drawn: readonly DrawnImage[],
  { byPlace }: PagePictures,
): Promise<readonly Glyph[]> {
  let over = 0
  for (const { place, over: before } of drawn)
    for (const { image } of byPlace.get(place) ?? []) {
      if (before === 0 || !image?.picture) continue
      const isWhole = (image.right - image.left) * (image.bottom - image.top) > page.width * page.height * WHOLE
      if (isWhole && !(await sharp(image.picture.path).metadata()).hasAlpha) over = Math.max(over, before)
    }
  return over === 0 ? glyphs : glyphs.map((glyph, at) => (at < over ? { ...glyph, isHidden: true } : glyph))
}
