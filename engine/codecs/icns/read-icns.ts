import sharp from 'sharp'
import { readWithMagick } from '../magick/magick.ts'
import { checkSize } from '#engine/image/check-size'
import { samplesOf } from '#engine/image/pixels'
import type { Raster } from '#engine/image/raster'
import type { Limits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

interface Entry {
  readonly type: string
  readonly body: Buffer
}

/** Entries that hold PNG, JPEG 2000 or ARGB, by their side in pixels (Apple's Icon Image format; retina types by what they hold). */
const modern: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ic10: 1024,
    ic14: 512,
    ic09: 512,
    ic13: 256,
    ic08: 256,
    ic07: 128,
    ic12: 64,
    icp6: 64,
    ic11: 32,
    icp5: 32,
    ic05: 32,
    icp4: 16,
    ic04: 16,
  }),
)

/** Entries of packed 24-bit colour with their 8-bit masks, largest first. */
const packed = [
  ['it32', 't8mk', 128],
  ['ih32', 'h8mk', 48],
  ['il32', 'l8mk', 32],
  ['is32', 's8mk', 16],
] as const

/** The largest picture of a macOS icon file. Throws `file.unreadable` when it holds none. */
export async function readIcns(file: Buffer, limits: Limits): Promise<Raster> {
  const entries = entriesOf(file)
  const found = entries
    .filter(({ type }) => modern.has(type))
    .toSorted((left, right) => (modern.get(right.type) ?? 0) - (modern.get(left.type) ?? 0))[0]
  if (found) return readModern(found, limits)
  for (const [type, maskType, side] of packed) {
    const colour = entries.find((entry) => entry.type === type)
    const mask = entries.find((entry) => entry.type === maskType)
    if (colour) return readPacked(colour.body.subarray(type === 'it32' ? 4 : 0), mask?.body, side)
  }
  throw new AppError('file.unreadable', {})
}

function entriesOf(file: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 8; at + 8 <= file.length;) {
    const bytes = file.readUInt32BE(at + 4)
    if (bytes < 8 || at + bytes > file.length) throw new AppError('file.unreadable', {})
    entries.push({ type: file.toString('latin1', at, at + 4), body: file.subarray(at + 8, at + bytes) })
    at += bytes
  }
  return entries
}

async function readModern({ type, body }: Entry, limits: Limits): Promise<Raster> {
  if (body.toString('latin1', 0, 4) === 'ARGB') return readArgb(body.subarray(4), modern.get(type) ?? 0)
  if (body.toString('latin1', 1, 4) !== 'PNG') return readWithMagick(body, body[0] === 0xff ? 'j2k' : 'jp2', limits)
  const png = sharp(body, { limitInputPixels: false })
  const { width, height } = await png.metadata()
  checkSize({ width, height }, limits)
  return samplesOf(png.toColourspace('srgb'))
}

/** Apple's run-length code: a byte below 128 leads that many and one literal bytes, others repeat the next byte n - 125 times. */
function unpack(source: Buffer, length: number): { plane: Buffer; used: number } {
  const plane = Buffer.alloc(length)
  let [at, to] = [0, 0]
  while (to < length) {
    const lead = source[at++]
    if (lead === undefined) throw new AppError('file.unreadable', {})
    const run = lead < 128 ? lead + 1 : lead - 125
    if (lead < 128) source.copy(plane, to, at, at + run)
    else plane.fill(source[at] ?? 0, to, Math.min(length, to + run))
    at += lead < 128 ? run : 1
    to += run
  }
  return { plane, used: at }
}

function readArgb(body: Buffer, side: number): Raster {
  const data = Buffer.alloc(side * side * 4)
  let at = 0
  for (const channel of [3, 0, 1, 2]) {
    const { plane, used } = unpack(body.subarray(at), side * side)
    for (let pixel = 0; pixel < plane.length; pixel++) data[pixel * 4 + channel] = plane[pixel] ?? 0
    at += used
  }
  return { data, width: side, height: side, channels: 4 }
}

function readPacked(body: Buffer, mask: Buffer | undefined, side: number): Raster {
  const data = Buffer.alloc(side * side * 4, 255)
  let at = 0
  for (const channel of [0, 1, 2]) {
    const { plane, used } = unpack(body.subarray(at), side * side)
    for (let pixel = 0; pixel < plane.length; pixel++) data[pixel * 4 + channel] = plane[pixel] ?? 0
    at += used
  }
  if (mask) for (let pixel = 0; pixel < side * side; pixel++) data[pixel * 4 + 3] = mask[pixel] ?? 255
  return { data, width: side, height: side, channels: 4 }
}
