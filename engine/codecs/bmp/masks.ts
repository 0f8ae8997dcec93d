import { AppError } from '#shared/errors/app-error'

/** A channel of a packed pixel: `(pixel >>> shift) & max`, and its 8-bit samples where there are few enough to list. */
interface Channel {
  readonly shift: number
  readonly max: number
  readonly samples: Uint8Array | undefined
}

/** The channels of a packed pixel. */
export interface ChannelMasks {
  readonly red: Channel
  readonly green: Channel
  readonly blue: Channel
  readonly alpha: Channel | undefined
}

const LISTED_SAMPLES = 4096
const defaults = { 16: [0x7c00, 0x3e0, 0x1f], 32: [0xff0000, 0xff00, 0xff] } as const

const scaled = (value: number, max: number): number => Math.round((value * 255) / max)

/** A channel from its mask, which must be one block of bits inside the pixel; a mask of no bits is a channel of zeros. */
function channelOf(mask: number, bits: number): Channel {
  if (mask === 0) return { shift: 0, max: 0, samples: new Uint8Array(1) }
  const shift = 31 - Math.clz32(mask & -mask)
  const max = mask >>> shift
  if ((max & (max + 1)) !== 0 || Math.clz32(mask) < 32 - bits) throw new AppError('file.unreadable', {})
  const samples = max < LISTED_SAMPLES ? Uint8Array.from({ length: max + 1 }, (_, value) => scaled(value, max)) : undefined
  return { shift, max, samples }
}

/**
 * The channels of a 16- or 32-bit pixel from a header's masks (12 bytes, or 16 with alpha), or the usual ones where it has none:
 * then the spare bits mean nothing, whatever they hold. Undefined for other depths. Throws `file.unreadable` for scattered bits.
 */
export function channelMasks(bits: number, masks: Buffer | undefined): ChannelMasks | undefined {
  if (bits !== 16 && bits !== 32) return undefined
  const words =
    masks && masks.length >= 12 ? [0, 4, 8, 12].map((at) => (at + 4 <= masks.length ? masks.readUInt32LE(at) : 0)) : defaults[bits]
  const [red = 0, green = 0, blue = 0, alpha = 0] = words
  if (red === 0 && green === 0 && blue === 0) throw new AppError('file.unreadable', {})
  return {
    red: channelOf(red, bits),
    green: channelOf(green, bits),
    blue: channelOf(blue, bits),
    alpha: alpha === 0 ? undefined : channelOf(alpha, bits),
  }
}

/** The 8-bit sample of a channel in a packed pixel. */
export function sampleOf(pixel: number, { shift, max, samples }: Channel): number {
  const value = (pixel >>> shift) & max
  return samples ? (samples[value] ?? 0) : scaled(value >>> 0, max)
}
