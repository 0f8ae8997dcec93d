import type { Animation } from '#engine/image/pixels'
import { pngChunk } from '#engine/image/png-chunks'

interface Chunk {
  readonly type: string
  readonly body: Buffer
}

/** The chunks of a PNG file, in order. */
function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= png.length; at += png.readUInt32BE(at) + 12) {
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), body: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) })
  }
  return chunks
}

/** When a source says nothing of a frame, as browsers show it. */
const USUAL_DELAY_MS = 100

/**
 * An animated PNG (PNG third edition, §11.3.4 ff.) from frames that are PNG files of one size and colour type, each replacing
 * the last as a whole.
 */
export function writeApng(frames: readonly Buffer[], { delaysMs, loop }: Animation): Buffer {
  const [first] = frames
  if (first === undefined) throw new RangeError('no frames')
  const control = Buffer.alloc(8)
  control.writeUInt32BE(frames.length, 0)
  control.writeUInt32BE(loop, 4)
  const parts = [first.subarray(0, 33), pngChunk('acTL', control)]
  let sequence = 0
  frames.forEach((png, frame) => {
    const head = Buffer.alloc(26)
    head.writeUInt32BE(sequence++, 0)
    png.copy(head, 4, 16, 24) // width and height, as its IHDR has them
    head.writeUInt16BE(Math.min(65_535, Math.round(delaysMs[frame] ?? USUAL_DELAY_MS)), 20)
    head.writeUInt16BE(1000, 22)
    parts.push(pngChunk('fcTL', head))
    const data = chunksOf(png).filter(({ type }) => type === 'IDAT')
    for (const { body } of data) {
      if (frame === 0) parts.push(pngChunk('IDAT', body))
      else {
        const number = Buffer.alloc(4)
        number.writeUInt32BE(sequence++)
        parts.push(pngChunk('fdAT', Buffer.concat([number, body])))
      }
    }
  })
  return Buffer.concat([...parts, pngChunk('IEND', Buffer.alloc(0))])
}
