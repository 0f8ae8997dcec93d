import sharp from 'sharp'
import { checkFrames, checkSize } from '#engine/image/check-size'
import { samplesOf, simplify, type Pixels } from '#engine/image/pixels'
import { pngChunk } from '#engine/image/png-chunks'
import type { Limits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

interface Frame {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
  readonly delayMs: number
  /** What becomes of the frame's area afterwards: 0 it stays, 1 cleared, 2 as it was before. */
  readonly disposal: number
  /** 0 replaces, 1 is drawn over. */
  readonly blend: number
  readonly data: Buffer[]
}

interface Parsed {
  readonly header: Buffer
  /** Palette, transparency, gamma and profile: what every frame's decoding needs. */
  readonly shared: Buffer[]
  readonly frames: Frame[]
  readonly loop: number
}

const SIGNATURE_BYTES = 8
/** Browsers show frames that ask for less than this for a tenth of a second; kept as asked but never 0, which some readers refuse. */
const SHORTEST_MS = 10

function parse(file: Buffer): Parsed {
  const shared: Buffer[] = []
  const frames: Frame[] = []
  let loop = 0
  let hasPicture = false
  for (let at = SIGNATURE_BYTES; at + 12 <= file.length; at += file.readUInt32BE(at) + 12) {
    const type = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + file.readUInt32BE(at))
    if (type === 'acTL' && body.length >= 8) loop = body.readUInt32BE(4)
    if (type === 'fcTL' && body.length >= 26) frames.push(frameOf(body))
    if (type === 'IDAT' || type === 'fdAT') {
      hasPicture = true
      frames.at(-1)?.data.push(type === 'IDAT' ? body : body.subarray(4))
    } else if (!hasPicture && ['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP'].includes(type)) {
      shared.push(pngChunk(type, body))
    }
  }
  // A default picture that has no frame control stands outside of the animation.
  return { header: file.subarray(16, 29), shared, frames, loop }
}

function frameOf(control: Buffer): Frame {
  const denominator = control.readUInt16BE(22) || 100
  return {
    width: control.readUInt32BE(4),
    height: control.readUInt32BE(8),
    left: control.readUInt32BE(12),
    top: control.readUInt32BE(16),
    delayMs: Math.max(SHORTEST_MS, Math.round((control.readUInt16BE(20) * 1000) / denominator)),
    disposal: control[24] ?? 0,
    blend: control[25] ?? 0,
    data: [],
  }
}

async function drawn(frame: Frame, { header, shared }: Parsed): Promise<Buffer> {
  const head = Buffer.from(header)
  head.writeUInt32BE(frame.width, 0)
  head.writeUInt32BE(frame.height, 4)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const end = pngChunk('IEND', Buffer.alloc(0))
  const png = Buffer.concat([signature, pngChunk('IHDR', head), ...shared, pngChunk('IDAT', Buffer.concat(frame.data)), end])
  const { data } = await samplesOf(sharp(png, { limitInputPixels: false, failOn: 'error' }).toColourspace('srgb').ensureAlpha())
  return data
}

/** Draws RGBA samples onto the canvas: source over destination (PNG third edition, §13.20), or in its place. */
function place(canvas: Buffer, canvasWidth: number, frame: Frame, samples: Buffer): void {
  for (let y = 0; y < frame.height; y++) {
    const to = ((frame.top + y) * canvasWidth + frame.left) * 4
    const from = y * frame.width * 4
    if (frame.blend === 0) samples.copy(canvas, to, from, from + frame.width * 4)
    else for (let i = 0; i < frame.width * 4; i += 4) over(canvas, to + i, samples, from + i)
  }
}

function over(canvas: Buffer, to: number, samples: Buffer, from: number): void {
  const alpha = (samples[from + 3] ?? 0) / 255
  const below = ((canvas[to + 3] ?? 0) / 255) * (1 - alpha)
  const sum = alpha + below
  if (sum === 0) return
  for (let channel = 0; channel < 3; channel++) {
    canvas[to + channel] = Math.round(((samples[from + channel] ?? 0) * alpha + (canvas[to + channel] ?? 0) * below) / sum)
  }
  canvas[to + 3] = Math.round(sum * 255)
}

function clear(canvas: Buffer, canvasWidth: number, { left, top, width, height }: Frame): void {
  for (let y = top; y < top + height; y++) canvas.fill(0, (y * canvasWidth + left) * 4, (y * canvasWidth + left + width) * 4)
}

/** The frames of an animated PNG, each as it is seen. Throws `image.*` beyond the limits, `file.unreadable` for a broken file. */
export async function readApng(file: Buffer, limits: Limits): Promise<Pixels> {
  const parsed = parse(file)
  const [width, height] = [parsed.header.readUInt32BE(0), parsed.header.readUInt32BE(4)]
  const { frames } = parsed
  checkSize({ width, height }, limits)
  checkFrames(frames.length, width * height, limits)
  const isWithin = (frame: Frame): boolean =>
    frame.left + frame.width <= width && frame.top + frame.height <= height && frame.data.length > 0
  if (frames.length === 0 || !frames.every(isWithin)) throw new AppError('file.unreadable', {})
  const canvas = Buffer.alloc(width * height * 4)
  const shown = Buffer.alloc(canvas.length * frames.length)
  for (const [index, frame] of frames.entries()) {
    const before = frame.disposal === 2 ? Buffer.from(canvas) : undefined
    place(canvas, width, frame, await drawn(frame, parsed))
    canvas.copy(shown, index * canvas.length)
    if (before) before.copy(canvas)
    else if (frame.disposal === 1) clear(canvas, width, frame)
  }
  const animation = { frames: frames.length, delaysMs: frames.map(({ delayMs }) => delayMs), loop: parsed.loop }
  return simplify({ data: shown, width, height, channels: 4, ...(frames.length > 1 && { animation }) })
}
