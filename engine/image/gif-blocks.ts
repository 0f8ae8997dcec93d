const EXTENSION = 0x21
const IMAGE = 0x2c
const PALETTE_FLAG = 0x80
const HEADER_BYTES = 13
const IMAGE_BYTES = 10

const paletteBytes = (flags = 0): number => (flags & PALETTE_FLAG ? 3 << ((flags & 7) + 1) : 0)

/** Where a chain of data sub-blocks ends; undefined where the file ends first. */
function chainEnd(file: Buffer, start: number): number | undefined {
  for (let at = start; at < file.length;) {
    const bytes = file[at] ?? 0
    at += 1 + bytes
    if (bytes === 0) return at
  }
  return undefined
}

/**
 * Whether every block of a GIF file is there to its end (GIF89a, §12–27). The decoder hands out the frames before a cut as if
 * they were all. A missing trailer is none: many writers leave it out.
 */
export function isGifWhole(file: Buffer): boolean {
  let at = HEADER_BYTES + paletteBytes(file[10])
  while (at < file.length) {
    const kind = file[at]
    if (kind !== EXTENSION && kind !== IMAGE) return true
    const data = kind === EXTENSION ? at + 2 : at + IMAGE_BYTES + paletteBytes(file[at + 9]) + 1
    const end = chainEnd(file, data)
    if (end === undefined) return false
    at = end
  }
  return at === file.length
}
