import sharp, { type Sharp } from 'sharp'
import { keptJpeg } from '../browser-parts.ts'
import { colourOfLevels } from '../colour.ts'
import { withAlpha } from './alter.ts'
import type { DrawnImage } from './drawn-image.ts'
import type { JpegStreams } from './jpeg-streams.ts'
import { digestOf } from './picture-store.ts'
import { abreast, stacked } from './rearrange.ts'
import { inkOf, isBilevel, maskOf, samplesOf, type Grid, type Samples } from './samples.ts'
import type { Size } from '#shared/resize'

/** A picture of the file: its JPEG where that can be used as it is, and its samples. */
export interface LoadedPicture extends Size {
  readonly jpeg?: Buffer
  readonly samples: () => Promise<Samples>
  /** Tells it from pictures that look otherwise. */
  readonly identity: string
}

/** Side of the small copies by which a stream is known to be a picture's. */
const SMALL = 16
/** How far decoders may differ on such a copy, on the mean, in levels. */
const SAME = 3
/** Pictures of no more pixels may be mere colours. */
const FEW_PIXELS = 16
/** No more than this is joined, in pixels. */
const MAX_JOINED_PIXELS = 64e6
const BLACK = '#000000'

/** A small copy in RGB; throws for a JPEG that is broken or cut off. */
const small = (picture: Sharp): Promise<Buffer> =>
  picture.removeAlpha().toColourspace('srgb').resize(SMALL, SMALL, { fit: 'fill', kernel: 'linear' }).raw().toBuffer()

const sharpOf = ({ data, width, height, channels }: Grid): Sharp =>
  // sharp's types name the counts one by one; those of a Grid are among them.
  sharp(data.subarray(0, width * height * channels), { raw: { width, height, channels: channels as 1 | 3 | 4 }, limitInputPixels: false })

const jpegOf = (jpeg: Buffer): Sharp => sharp(jpeg, { failOn: 'truncated', limitInputPixels: false })

async function decoded(jpeg: Buffer): Promise<Grid> {
  const { data, info } = await sharp(jpeg, { failOn: 'none', limitInputPixels: false })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, data }
}

/** Whether a JPEG shows these samples, and every viewer would show it so. */
async function shows(jpeg: Buffer, samples: Grid): Promise<boolean> {
  try {
    const { width, height, channels, orientation = 1 } = await jpegOf(jpeg).metadata()
    if (width !== samples.width || height !== samples.height || channels > 3 || orientation !== 1) return false
    const [one, other] = await Promise.all([small(jpegOf(jpeg)), small(sharpOf(samples))])
    return one.reduce((sum, level, at) => sum + Math.abs(level - (other[at] ?? 0)), 0) <= SAME * one.length
  } catch {
    return false
  }
}

/** Samples that are there already. */
export function loadedOf(samples: Samples): LoadedPicture {
  const { width, height, data } = samples
  const look = `${width} ${samples.channels} ${isBilevel(samples) ? samples.inks.join(' ') : ''}`
  return { width, height, samples: () => Promise.resolve(samples), identity: digestOf(data, look) }
}

/** A JPEG that pdf.js left as it is; undefined where it is no whole one. */
async function ofJpeg(jpeg: Buffer): Promise<LoadedPicture | undefined> {
  try {
    await small(jpegOf(jpeg))
    const { width, height } = await jpegOf(jpeg).metadata()
    return { width, height, jpeg, samples: () => decoded(jpeg), identity: digestOf(jpeg) }
  } catch {
    const samples = await decoded(jpeg).catch(() => undefined)
    return samples && loadedOf(samples)
  }
}

/** What a drawn picture shows, as pdf.js hands it over; undefined for what can't be decoded. */
export async function loadPicture(handed: unknown, image: DrawnImage, streams: JpegStreams): Promise<LoadedPicture | undefined> {
  const jpeg = keptJpeg(handed)
  if (jpeg) return ofJpeg(jpeg)
  const isMask = image.colour !== undefined
  const samples = isMask ? maskOf(handed, inkOf(image.colour ?? BLACK, 1)) : samplesOf(handed)
  if (!samples) return undefined
  const loaded = loadedOf(samples)
  const name: unknown = typeof handed === 'object' && handed !== null ? Reflect.get(handed, 'ref') : undefined
  if (isBilevel(samples) || samples.channels !== 3 || typeof name !== 'string') return loaded
  const stream = await streams.find(name)
  return stream && (await shows(stream, samples)) ? { ...loaded, jpeg: stream } : loaded
}

const alike = (one: Samples, other: Samples, side: 'width' | 'height'): boolean =>
  one[side] === other[side] && one.channels === other.channels && isBilevel(one) === isBilevel(other)

/** Pictures as one, if they fit. */
export async function joinedPicture(parts: readonly LoadedPicture[], kind: 'down' | 'across'): Promise<LoadedPicture | undefined> {
  if (parts.reduce((sum, { width, height }) => sum + width * height, 0) > MAX_JOINED_PIXELS) return undefined
  const grids: Samples[] = []
  for (const part of parts) grids.push(await part.samples())
  const [first, ...others] = grids
  if (!first || !others.every((grid) => alike(first, grid, kind === 'down' ? 'width' : 'height'))) return undefined
  return loadedOf(kind === 'down' ? stacked([first, ...others]) : abreast([first, ...others]))
}

/** The one colour of a picture of few pixels, `#rrggbb`; undefined where it has several, or something shows through. */
export async function plainColour({ width, height, samples }: LoadedPicture): Promise<string | undefined> {
  if (width * height > FEW_PIXELS) return undefined
  const { data } = withAlpha(await samples())
  const [red = 0, green = 0, blue = 0, alpha = 0] = data
  const isPlain = data.every((level, at) => level === data[at % 4])
  return isPlain && alpha === 255 ? colourOfLevels([red, green, blue]) : undefined
}
