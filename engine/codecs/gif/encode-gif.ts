import type { Clip } from './clip.ts'
import { colourTable, writeGif, type Disposal, type Frame, type Rectangle, type Timing } from './gif-file.ts'
import { writeLzw, type Strip } from './lzw.ts'
import type { Symbols } from './symbols.ts'
import { neededColours, sharedSymbols, symbolsFor, tableOf } from './tables.ts'
import { targetsOf, type Targets } from './targets.ts'

/** How a clip is written. */
export interface Settings {
  /** Squared error (all three channels) that one bit is worth; 0 writes without loss where the colours allow it. */
  readonly lambda: number
  /** Most colours of a table, the transparent index counted. */
  readonly colours: number
  /** Strings of each length the LZW search follows. */
  readonly beam: number
}

/** A GIF file and how far it is from its clip: the mean squared error of a channel over all frames. */
export interface EncodedGif {
  readonly bytes: Buffer
  readonly meanSquaredError: number
  /** Bytes up to the end of the first frame. */
  readonly firstBytes: number
}

/** Colours this near (squared distance, in lambda) to a pixel's mean so far count as unchanged: noise is averaged out. */
const TOLERANCE = 2
/** A pixel less wrong than this (in lambda) does not make a frame's rectangle larger: a correction on its own takes about two codes. */
const BEARABLE = 24

/** Writes a clip: frames as the rectangles that change, in what is left to be worth its bits of colours, dictionary strings and transparency. */
export function encodeGif(clip: Clip, timing: Timing, settings: Settings): EncodedGif {
  const { width, height, frames } = clip
  const isExact = settings.lambda === 0
  const lambda = isExact ? 1e-3 : settings.lambda
  const bearable = isExact ? 0 : BEARABLE * lambda
  const targets = targetsOf(clip, isExact ? 0 : TOLERANCE * lambda)
  const canvas = new Uint32Array(width * height)
  const shared = sharedSymbols(clip, settings)
  const written: Frame[] = []
  let squaredError = 0
  let uses = 0
  for (let frame = 0; frame < frames; frame++) {
    targets.enter(frame)
    const fate = fateOf(clip, canvas, frame)
    const hold = holds(canvas, targets, frame)
    const needed = neededColours(targets, hold, bearable, frame)
    // Without loss a full table leaves no room for transparency: then every pixel is written in its colour.
    const hasTransparent = clip.hasAlpha || (frame > 0 && !(isExact && needed.size >= settings.colours))
    let symbols = symbolsFor(needed, shared, settings, hasTransparent)
    const rectangle = rectangleOf(targets, hold, symbols, width, bearable, fate, frame)
    if (frame > 0 && !hasTransparent) {
      const inside = neededColours(targets, hold.map(insideOf(rectangle, width)), 0, frame)
      symbols = symbolsFor(inside, shared, settings, false)
    }
    const strip = stripOf(targets, hold, symbols, rectangle, width, frame)
    const { codeBits, data, indices } = writeLzw(strip, symbols, { lambda, beam: settings.beam })
    const before = fate.disposal === 3 ? canvas.slice() : canvas
    paint(canvas, indices, symbols, rectangle, width)
    squaredError += errorOf(canvas, clip, frame)
    if (symbols === shared) uses++
    const colours = symbols === shared ? undefined : colourTable(tableOf(symbols))
    // Some readers (libnsgif) erase to a background colour unless the frame names a transparent index.
    const isNamed = fate.disposal === 2 || indices.includes(symbols.transparent)
    const transparent = symbols.transparent >= 0 && isNamed ? symbols.transparent : undefined
    written.push({ ...rectangle, colours, transparent, disposal: fate.disposal, codeBits, data })
    if (fate.disposal === 3) canvas.set(before)
    if (fate.disposal === 2) erase(canvas, rectangle, width)
  }
  const table = uses > 0 ? colourTable(tableOf(shared)) : undefined
  const bytes = writeGif(width, height, table, written, timing)
  const [first] = written
  const firstBytes = 800 + (first?.data.length ?? 0)
  return { bytes, firstBytes: Math.min(firstBytes, bytes.length), meanSquaredError: squaredError / (width * height * frames * 3) }
}

/** What happens after a frame, and the places that have to turn transparent then. */
interface Fate {
  readonly disposal: Disposal
  readonly erased: readonly number[]
}

/**
 * Places only turn transparent by disposal of the frame before: its rectangle erased, or what was under it brought back.
 * The way after which fewer pixels differ from the next frame is taken.
 */
function fateOf({ hasAlpha, width, height, frames, colourAt }: Clip, canvas: Uint32Array, frame: number): Fate {
  if (!hasAlpha || frame + 1 >= frames) return { disposal: 1, erased: [] }
  const erased: number[] = []
  let isRestorable = true
  let differing = { erasing: 0, restoring: 0 }
  for (let place = 0; place < width * height; place++) {
    const next = colourAt(frame + 1, place)
    const current = colourAt(frame, place)
    if (next === 0 && current !== 0) erased.push(place)
    if (next === 0 && canvas[place] !== 0) isRestorable = false
    if (next !== 0) differing.erasing++
    if (next !== canvas[place]) differing.restoring++
  }
  if (erased.length === 0) return { disposal: 1, erased }
  return isRestorable && differing.restoring < differing.erasing ? { disposal: 3, erased: [] } : { disposal: 2, erased }
}

/** The weighted error of leaving each pixel as it is on the screen. */
function holds(canvas: Uint32Array, { red, green, blue, isShown, until }: Targets, frame: number): Float32Array {
  const hold = new Float32Array(canvas.length)
  for (let place = 0; place < canvas.length; place++) {
    const colour = canvas[place] ?? 0
    if ((isShown[place] ?? 0) === 0) hold[place] = colour === 0 ? 0 : Infinity
    else if (colour === 0) hold[place] = Infinity
    else {
      const r = (colour & 255) - (red[place] ?? 0)
      const g = ((colour >>> 8) & 255) - (green[place] ?? 0)
      const b = ((colour >>> 16) & 255) - (blue[place] ?? 0)
      hold[place] = ((until[place] ?? 0) - frame) * (r * r + g * g + b * b)
    }
  }
  return hold
}

/** The smallest rectangle around every pixel dearer to leave than `bearable` and every one to be erased afterwards; one pixel when there is none. */
function rectangleOf(
  { red, green, blue, isShown, until }: Targets,
  hold: Float32Array,
  symbols: Symbols,
  width: number,
  bearable: number,
  { erased }: Fate,
  frame: number,
): Rectangle {
  let [left, top, right, bottom] = [width, hold.length, -1, -1]
  const include = (place: number): void => {
    const x = place % width
    const y = (place - x) / width
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  for (let place = 0; place < hold.length; place++) {
    const held = hold[place] ?? 0
    if (held <= bearable || (isShown[place] ?? 0) === 0) continue
    const [r, g, b] = [red[place] ?? 0, green[place] ?? 0, blue[place] ?? 0]
    const index = symbols.nearest(r | (g << 8) | (b << 16))
    const [dr, dg, db] = [r - (symbols.red[index] ?? 0), g - (symbols.green[index] ?? 0), b - (symbols.blue[index] ?? 0)]
    const error = ((until[place] ?? 0) - frame) * (dr * dr + dg * dg + db * db)
    if (held - error > bearable) include(place)
  }
  erased.forEach(include)
  return right < 0 ? { left: 0, top: 0, width: 1, height: 1 } : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

function stripOf(
  targets: Targets,
  hold: Float32Array,
  { nearest, red, green, blue }: Symbols,
  rectangle: Rectangle,
  stride: number,
  frame: number,
): Strip {
  const { left, top, width, height } = rectangle
  const length = width * height
  const strip = {
    length,
    red: new Int16Array(length),
    green: new Int16Array(length),
    blue: new Int16Array(length),
    weight: new Float32Array(length),
    hold: new Float32Array(length),
    least: new Float32Array(length),
    nearest: new Int16Array(length),
  }
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, place = (top + y) * stride + left; x < width; x++, place++, to++) {
      const r = (strip.red[to] = targets.red[place] ?? 0)
      const g = (strip.green[to] = targets.green[place] ?? 0)
      const b = (strip.blue[to] = targets.blue[place] ?? 0)
      strip.weight[to] = (targets.until[place] ?? 0) - frame
      const isShown = (targets.isShown[place] ?? 0) === 1
      const index = isShown ? nearest(r | (g << 8) | (b << 16)) : -1
      const [dr, dg, db] = [r - (red[index] ?? 0), g - (green[index] ?? 0), b - (blue[index] ?? 0)]
      const held = hold[place] ?? 0
      const least = isShown ? Math.min(held, (strip.weight[to] ?? 0) * (dr * dr + dg * dg + db * db)) : 0
      strip.least[to] = least
      strip.hold[to] = held - least
      strip.nearest[to] = index
    }
  }
  return strip
}

/** Makes whatever lies in a rectangle count as changed, and nothing else. */
const insideOf =
  ({ left, top, width, height }: Rectangle, stride: number) =>
  (_: number, place: number): number => {
    const [x, y] = [place % stride, Math.floor(place / stride)]
    return x >= left && x < left + width && y >= top && y < top + height ? 1 : 0
  }

function paint(canvas: Uint32Array, indices: Uint8Array, symbols: Symbols, rectangle: Rectangle, stride: number): void {
  const { left, top, width, height } = rectangle
  const colours = Uint32Array.from(tableOf(symbols), (colour) => (colour | 0xff000000) >>> 0)
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, place = (top + y) * stride + left; x < width; x++, place++, from++) {
      const index = indices[from] ?? 0
      if (index !== symbols.transparent) canvas[place] = colours[index] ?? 0
    }
  }
}

function erase(canvas: Uint32Array, { left, top, width, height }: Rectangle, stride: number): void {
  for (let y = top; y < top + height; y++) canvas.fill(0, y * stride + left, y * stride + left + width)
}

function errorOf(canvas: Uint32Array, { colourAt }: Clip, frame: number): number {
  let sum = 0
  for (let place = 0; place < canvas.length; place++) {
    const [shown, wanted] = [canvas[place] ?? 0, colourAt(frame, place)]
    if (shown === wanted) continue
    sum += ((shown & 255) - (wanted & 255)) ** 2 + (((shown >>> 8) & 255) - ((wanted >>> 8) & 255)) ** 2
    sum += (((shown >>> 16) & 255) - ((wanted >>> 16) & 255)) ** 2
  }
  return sum
}
