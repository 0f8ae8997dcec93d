import type { SoftMap } from './soft-map.ts'
import type { Rect, Size } from '#shared/resize'

/** From here on something may belong to the subject, and is worth looking at. */
const POSSIBLE = 0.25
/** Ground that is left around the subject, as a part of its longer side. */
const PADDING = 0.12

/** The part of a map in which its subject may lie; none where nothing may be one. */
export function possibleBox({ data, width, height }: SoftMap): Rect | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[y * width + x] ?? 0) < POSSIBLE) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

function within(left: number, top: number, right: number, bottom: number, { width, height }: Size): Rect {
  const [x, y] = [Math.max(0, Math.round(left)), Math.max(0, Math.round(top))]
  return { left: x, top: y, width: Math.min(width, Math.round(right)) - x, height: Math.min(height, Math.round(bottom)) - y }
}

/** A box with ground around it, inside the picture. */
export function padded({ left, top, width, height }: Rect, picture: Size): Rect {
  const border = PADDING * Math.max(width, height)
  return within(left - border, top - border, left + width + border, top + height + border, picture)
}

/** The area of a part, in pixels. */
export const areaOf = ({ width, height }: Rect): number => width * height

/** Faces of a smaller part of the largest one's area are of people behind, whom others may hide. */
const NEAR = 0.4

/** Of several people's faces those that are near. */
export function nearFaces(faces: readonly Rect[]): readonly Rect[] {
  const largest = Math.max(...faces.map(areaOf))
  return faces.filter((face) => areaOf(face) >= NEAR * largest)
}

/** What is looked at around a face, from its middle to the sides, above it and below it, in its own widths and heights: hair, shoulders, chest. */
const BODY = { beside: 1.8, above: 0.8, below: 2.5 }

/** The part of a picture in which a person's head and shoulders are, by the face. */
export const aroundFace = ({ left, top, width, height }: Rect, picture: Size): Rect =>
  within(
    left + width * (0.5 - BODY.beside),
    top - height * BODY.above,
    left + width * (0.5 + BODY.beside),
    top + height * (1 + BODY.below),
    picture,
  )

/** Where the chest is, seen from the front, in widths and heights of the face: a narrow part from under the chin on. */
const CHEST = { beside: 0.4, from: 1.15, to: 2 }

/** The part of a picture in which a person's chest is, by the face; none where the picture ends before that tells something. */
export function underFace({ left, top, width, height }: Rect, picture: Size): Rect | undefined {
  const [first, last] = [left + width * (0.5 - CHEST.beside), left + width * (0.5 + CHEST.beside)]
  const part = within(first, top + height * CHEST.from, last, top + height * CHEST.to, picture)
  return part.height < (height * (CHEST.to - CHEST.from)) / 3 || part.width < width * CHEST.beside ? undefined : part
}

/** The sides of a closer look at which its subject goes on beyond it, though the picture does not end there; the part is grown there by half. */
export function grownWhereCut(close: SoftMap, part: Rect, picture: Size): Rect {
  const box = possibleBox(close)
  if (!box) return part
  const { left, top, width, height } = part
  return within(
    box.left === 0 ? left - width / 2 : left,
    box.top === 0 ? top - height / 2 : top,
    left + width * (box.left + box.width === width ? 1.5 : 1),
    top + height * (box.top + box.height === height ? 1.5 : 1),
    picture,
  )
}
