import type { Size } from '#shared/resize'

/** A colour with its opacity, each from 0 to 255. */
export type Ink = readonly [red: number, green: number, blue: number, alpha: number]

/** Rows of samples of a byte each, without padding. */
export interface Grid extends Size {
  readonly channels: number
  readonly data: Uint8Array
}

/** A picture of two colours: what zeros and ones of its one channel stand for. */
export interface Bilevel extends Grid {
  readonly channels: 1
  readonly inks: readonly [Ink, Ink]
}

/** Decoded samples of a picture: grey, RGB or RGBA without `inks`. */
export type Samples = Grid | Bilevel

const BLACK: Ink = [0, 0, 0, 255]
const WHITE: Ink = [255, 255, 255, 255]

/** Whether a picture has two colours only. */
export const isBilevel = (samples: Samples): samples is Bilevel => 'inks' in samples

/** The bits of packed rows, most significant first, a byte each. */
function unpacked(rows: Uint8Array, width: number, height: number): Uint8Array {
  const stride = (width + 7) >> 3
  const bits = new Uint8Array(width * height)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) bits[to++] = ((rows[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
  return bits
}

/** pdf.js's codes of how samples lie (ImageKind). */
const CHANNELS = new Map([
  [2, 3],
  [3, 4],
])
const BITS = 1

interface Raw extends Size {
  readonly kind: unknown
  readonly data: Uint8Array
}

function rawOf(value: unknown): Raw | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [width, height, data] = [Reflect.get(value, 'width'), Reflect.get(value, 'height'), Reflect.get(value, 'data')]
  if (typeof width !== 'number' || typeof height !== 'number' || !(width > 0 && height > 0)) return undefined
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return undefined
  return { width, height, kind: Reflect.get(value, 'kind'), data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
}

/** A picture as pdf.js decodes it, or undefined. */
export function samplesOf(value: unknown): Samples | undefined {
  const raw = rawOf(value)
  if (!raw) return undefined
  const { width, height, data } = raw
  if (raw.kind === BITS) return { width, height, channels: 1, data: unpacked(data, width, height), inks: [BLACK, WHITE] }
  const channels = typeof raw.kind === 'number' ? CHANNELS.get(raw.kind) : undefined
  return channels !== undefined && data.length >= width * height * channels ? { width, height, channels, data } : undefined
}

/** An image mask as pdf.js decodes it: zeros are painted in `ink`, ones are not. */
export function maskOf(value: unknown, ink: Ink): Bilevel | undefined {
  const raw = rawOf(value)
  if (!raw) return undefined
  const { width, height, data } = raw
  return { width, height, channels: 1, data: unpacked(data, width, height), inks: [ink, [ink[0], ink[1], ink[2], 0]] }
}

/** `#rrggbb` with an opacity from 0 to 1. */
export function inkOf(colour: string, opacity: number): Ink {
  const code = Number.parseInt(colour.slice(1), 16)
  return [code >> 16, (code >> 8) & 255, code & 255, Math.round(opacity * 255)]
}
