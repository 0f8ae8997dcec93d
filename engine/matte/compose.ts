import { groundOf, type GroundRequest } from './ground.ts'
import type { Pixels } from '../image/pixels.ts'
import { trimFrame } from '#shared/matte/framing'
import type { Matte } from '#shared/matte/matte'
import { dropShadow } from '#shared/matte/shadow'
import type { Rect } from '#shared/resize'
import type { OptionsOf } from '#shared/tools/index'

/** A subject and what it is to be laid on. */
export interface Composition extends Pick<GroundRequest, 'source' | 'matte' | 'backdrop'> {
  /** The subject's colours, in three channels. */
  readonly foreground: Pixels
  readonly options: Pick<OptionsOf<'cut-out'>, 'background' | 'trim' | 'margin' | 'shadow'>
}

/** A part of a matte; beyond the matte it is ground. */
function matteIn(matte: Matte, { left, top, width, height }: Rect): Matte {
  const data = new Uint8Array(width * height)
  const [from, to] = [Math.max(0, left), Math.min(matte.width, left + width)]
  for (let y = Math.max(0, -top); y < Math.min(height, matte.height - top); y++) {
    const row = (top + y) * matte.width
    data.set(matte.data.subarray(row + from, row + to), y * width + from - left)
  }
  return { data, width, height }
}

/** The shares of subject and shadow on one place of a canvas, and where its colours stand; moved from pixel to pixel. */
interface Layers {
  readonly frame: Rect
  readonly foreground: Pixels
  readonly matte: Matte
  readonly shadow: Matte | undefined
}

/** Calls `lay` for each pixel of a canvas where something of the subject or its shadow is: its place, the foreground's, and both alphas. */
function eachCovered({ frame, foreground, matte, shadow }: Layers, lay: (at: number, from: number, alpha: number, shade: number) => void) {
  for (let y = 0, at = 0; y < frame.height; y++) {
    let from = ((frame.top + y) * foreground.width + frame.left) * 3
    for (let x = 0; x < frame.width; x++, at++, from += 3) {
      const alpha = matte.data[at] ?? 0
      const shade = shadow ? (shadow.data[at] ?? 0) : 0
      if (alpha > 0 || shade > 0) lay(at, from, alpha, shade)
    }
  }
}

/** Subject over shadow over ground, as stored values mix in every editor and browser. Writes into the ground. */
function overGround(layers: Layers, ground: Pixels): Pixels {
  const { data } = ground
  const colours = layers.foreground.data
  eachCovered(layers, (at, from, alpha, shade) => {
    const below = ((255 - alpha) * (255 - shade)) / 255
    for (let channel = 0; channel < 3; channel++) {
      data[3 * at + channel] = ((colours[from + channel] ?? 0) * alpha + (data[3 * at + channel] ?? 0) * below) / 255 + 0.5
    }
  })
  return ground
}

/** Subject over a black shadow over nothing, colours not multiplied by alpha. */
function overNothing(layers: Layers): Pixels {
  const { width, height } = layers.frame
  const data = Buffer.alloc(width * height * 4)
  const colours = layers.foreground.data
  eachCovered(layers, (at, from, alpha, shade) => {
    const whole = alpha + ((255 - alpha) * shade) / 255
    const share = alpha / whole
    for (let channel = 0; channel < 3; channel++) data[4 * at + channel] = (colours[from + channel] ?? 0) * share + 0.5
    data[4 * at + 3] = whole + 0.5
  })
  return { data, width, height, channels: 4 }
}

/** A cut-out on its background, with its shadow, cropped to the subject if that is asked for; four channels where there is no background, else three. */
export async function composeCutOut({ source, foreground, matte, options, backdrop }: Composition): Promise<Pixels> {
  const { background, margin, trim } = options
  const shadow = options.shadow.by === 'drop' ? options.shadow : undefined
  const whole = { left: 0, top: 0, width: matte.width, height: matte.height }
  const frame = trim ? trimFrame(matte, { margin, isConfined: background.by === 'original', shadow }) : whole
  const subject = matteIn(matte, frame)
  const cast = shadow && dropShadow(subject, shadow, Math.max(matte.width, matte.height))
  const layers = { frame, foreground, matte: subject, shadow: cast }
  const ground = await groundOf({ background, source, matte, frame, backdrop })
  return ground ? overGround(layers, ground) : overNothing(layers)
}
