import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { pngChunk } from '#engine/image/png-chunks'
import { isBilevel, type Bilevel, type Grid, type Ink, type Samples } from './samples.ts'

const packBytes = promisify(deflate)
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const [GREY, INDEXED] = [0, 3]
/** A PNG that takes more bytes a pixel than this is of a photo, which is stored as JPEG. */
const PHOTO_BYTES = 1.1
/** Small pictures stay exact, whatever they show. */
const SMALL_BYTES = 100_000
const PHOTO_QUALITY = 90

/** A picture as a file's content. */
export interface Encoded {
  readonly format: 'jpeg' | 'png'
  readonly bytes: Buffer
}

const isPlain = ([zero, one]: readonly [Ink, Ink]): boolean => zero.join() === '0,0,0,255' && one.join() === '255,255,255,255'

/** A PNG of one bit a pixel: grey where its colours are black and white, else with a palette. */
async function encodeBilevel({ width, height, data, inks }: Bilevel): Promise<Encoded> {
  const stride = 1 + ((width + 7) >> 3)
  const rows = Buffer.alloc(stride * height)
  for (let y = 0, from = 0; y < height; y++) {
    const row = y * stride + 1
    for (let x = 0; x < width; x++) if (data[from++]) rows[row + (x >> 3)] = (rows[row + (x >> 3)] ?? 0) | (128 >> (x & 7))
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, isPlain(inks) ? GREY : INDEXED], 8)
  const palette = isPlain(inks)
    ? []
    : [
        pngChunk('PLTE', Buffer.from(inks.flatMap(([red, green, blue]) => [red, green, blue]))),
        pngChunk('tRNS', Buffer.from(inks.map(([, , , alpha]) => alpha))),
      ]
  const chunks = [
    pngChunk('IHDR', header),
    ...palette,
    pngChunk('IDAT', await packBytes(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]
  return { format: 'png', bytes: Buffer.concat([SIGNATURE, ...chunks]) }
}

/** Fewer channels where they say as much: alpha that hides nothing goes, and colours that are grey become grey. */
function simplified(grid: Grid): Grid {
  const { channels, data, width, height } = grid
  if (channels < 3) return grid
  const length = width * height * channels
  let [isOpaque, isGrey] = [true, true]
  for (let at = 0; at < length && (isOpaque || isGrey); at += channels) {
    if (channels === 4 && data[at + 3] !== 255) isOpaque = false
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) isGrey = false
  }
  const kept = [...(isGrey ? [0] : [0, 1, 2]), ...(channels === 4 && !isOpaque ? [3] : [])]
  if (kept.length === channels) return grid
  const fewer = new Uint8Array(width * height * kept.length)
  for (let from = 0, to = 0; from < length; from += channels) for (const channel of kept) fewer[to++] = data[from + channel] ?? 0
  return { width, height, channels: kept.length, data: fewer }
}

const sharpOf = ({ width, height, channels, data }: Grid): Sharp =>
  // sharp's types name the counts one by one; those of a Grid are among them.
  sharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 }, limitInputPixels: false })

/** Samples as a file: exact as PNG, save large photos, which become JPEG at high quality where nothing shines through. */
export async function encodePicture(samples: Samples): Promise<Encoded> {
  if (isBilevel(samples)) return encodeBilevel(samples)
  const grid = simplified(samples)
  const bytes = await sharpOf(grid).png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer()
  const isPhoto = bytes.length > SMALL_BYTES && bytes.length > grid.width * grid.height * PHOTO_BYTES
  if (!isPhoto || grid.channels === 2 || grid.channels === 4) return { format: 'png', bytes }
  return { format: 'jpeg', bytes: await sharpOf(grid).jpeg({ quality: PHOTO_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer() }
}
