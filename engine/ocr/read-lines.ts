import { cropped, type Bitmap, type Quad } from './bitmap.ts'
import { confidenceOf, type ReadCharacter } from './ctc.ts'
import { LINE_PX, type Networks } from './networks.ts'

/** A line as it was read. */
export interface ReadLine {
  /** Along the line; a line that runs downwards leans by a quarter. */
  readonly box: Quad
  readonly characters: readonly ReadCharacter[]
  /** 0..1 */
  readonly confidence: number
}

/** So much longer than wide a box may be of a line that is turned by a quarter. */
const TALL = 1.5
/** Below this another way of reading is tried, and what is surer counts. */
const UNSURE = 0.85
/** Below this nothing is said. */
const LEAST = 0.5
/** A line as long as this many times its height is not read in one go: the recogniser forgets none, but takes the square of it. */
const LONGEST = 60

/** The box of a line as it reads when it is turned by quarters clockwise. */
export function turnedBox({ x, y, width, height, angle }: Quad, quarters: number): Quad {
  const isAcross = quarters % 2 !== 0
  return { x, y, width: isAcross ? height : width, height: isAcross ? width : height, angle: angle + (quarters * Math.PI) / 2 }
}

/** Reads what a box shows. */
export async function readBox(bitmap: Bitmap, box: Quad, networks: Networks): Promise<ReadLine> {
  const width = Math.max(8, Math.round((Math.min(LONGEST, box.width / box.height) * LINE_PX) / 8) * 8)
  const characters = await networks.read(cropped(bitmap, box, { width, height: LINE_PX }))
  return { box, characters, confidence: confidenceOf(characters) }
}

async function surest(bitmap: Bitmap, box: Quad, networks: Networks): Promise<ReadLine> {
  const isTall = box.height >= TALL * box.width
  let best = await readBox(bitmap, box, networks)
  for (const quarters of isTall ? [1, 3] : [2]) {
    // A single 1 or I is tall and upright.
    if (best.confidence >= UNSURE && best.characters.length > 0 && !(isTall && box.height > 2.5 * box.width)) break
    const other = await readBox(bitmap, turnedBox(box, quarters), networks)
    if (other.confidence * Math.min(4, other.characters.length) > best.confidence * Math.min(4, best.characters.length) * 1.1) best = other
  }
  return best
}

/** Reads lines, each the way round in which it is surest; what is no text is left out. `step` is told before each, and may end it all by throwing. */
export async function readLines(
  bitmap: Bitmap,
  boxes: readonly Quad[],
  networks: Networks,
  step: (share: number) => void,
): Promise<readonly ReadLine[]> {
  const lines: ReadLine[] = []
  for (const [at, box] of boxes.entries()) {
    step(at / boxes.length)
    const line = await surest(bitmap, box, networks)
    if (line.confidence >= LEAST && line.characters.some(({ text }) => text.trim() !== '')) lines.push(line)
  }
  return lines
}
