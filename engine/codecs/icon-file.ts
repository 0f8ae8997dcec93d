/** A square picture of an icon file. */
export interface IconEntry {
  readonly side: number
  readonly png: Buffer
}

const HEADER_BYTES = 6
const ENTRY_BYTES = 16

/** A Windows icon (kind 1) or cursor (kind 2, hot spot at its upper left corner) of PNG entries, sides 1..256. */
export function iconFile(kind: 1 | 2, entries: readonly IconEntry[]): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * entries.length)
  head.writeUInt16LE(kind, 2)
  head.writeUInt16LE(entries.length, 4)
  let offset = head.length
  entries.forEach(({ side, png }, index) => {
    const at = HEADER_BYTES + ENTRY_BYTES * index
    head[at] = side % 256 // 0 stands for 256
    head[at + 1] = side % 256
    if (kind === 1) {
      head.writeUInt16LE(1, at + 4)
      head.writeUInt16LE(32, at + 6)
    }
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  })
  return Buffer.concat([head, ...entries.map(({ png }) => png)])
}
