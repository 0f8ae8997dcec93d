import type { Sharp } from 'sharp'

/** PNG entries by their side in pixels. */
const types = [
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
] as const

/**
 * A macOS icon file of PNG entries 128, 256, 512 and 1024 px, none larger than the picture's longer side (the smallest is
 * always there). The picture fits into each square and what is left of it is transparent.
 */
export async function writeIcns(pipeline: () => Sharp, longSidePx: number): Promise<Buffer> {
  const entries: Buffer[] = []
  for (const [type, side] of types) {
    if (side > 128 && side > longSidePx) continue
    const square = pipeline().resize(side, side, { fit: 'contain', background: '#0000' })
    const png = await square.toColourspace('srgb').ensureAlpha().png().toBuffer()
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(png.length + 8, 4)
    entries.push(head, png)
  }
  const header = Buffer.from('icns\0\0\0\0', 'latin1')
  header.writeUInt32BE(
    entries.reduce((sum, { length }) => sum + length, 8),
    4,
  )
  return Buffer.concat([header, ...entries])
}
