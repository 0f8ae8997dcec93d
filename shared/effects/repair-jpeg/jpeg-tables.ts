/** How one kind of samples was quantised: steps of its orthonormal frequencies, that of column `u`, row `v` at `v * 8 + u`. */
export type Steps = readonly number[]

/** What a JPEG says of its compression. */
export interface JpegTables {
  /** Its stored size in pixels, before it is turned upright. */
  readonly width: number
  readonly height: number
  readonly luma: Steps
  /** Of coloured ones; how many pixels one of its samples takes each way. */
  readonly chroma?: { readonly steps: Steps; readonly across: 1 | 2; readonly down: 1 | 2 }
}

/** Where the n-th coefficient of a JPEG's order lies in its square (ITU-T T.81, figure A.6): by diagonals, up and down in turn. */
const ZIGZAG: readonly number[] = Array.from({ length: 64 }, (_, at) => at).toSorted((a, b) => {
  const [left, right] = [(a >> 3) + (a & 7), (b >> 3) + (b & 7)]
  if (left !== right) return left - right
  return left % 2 === 0 ? (a & 7) - (b & 7) : (b & 7) - (a & 7)
})

interface Component {
  readonly name: number
  readonly across: number
  readonly down: number
  readonly table: number
}

interface Frame {
  readonly width: number
  readonly height: number
  readonly components: readonly Component[]
}

/** The tables of a DQT segment by their numbers. */
function readTables(view: DataView, at: number, end: number, tables: Map<number, Steps>): void {
  while (at + 65 <= end) {
    const kind = view.getUint8(at)
    const bytes = kind >> 4 === 1 ? 2 : 1
    if (at + 1 + 64 * bytes > end) return
    const steps = Array.from({ length: 64 }, () => 1)
    for (const [n, place] of ZIGZAG.entries()) {
      steps[place] = Math.max(1, bytes === 2 ? view.getUint16(at + 1 + n * 2) : view.getUint8(at + 1 + n))
    }
    tables.set(kind & 15, steps)
    at += 1 + 64 * bytes
  }
}

/** A frame header, of whatever coding. */
function readFrame(view: DataView, at: number, end: number): Frame | undefined {
  if (at + 6 > end || view.getUint8(at) !== 8) return undefined
  const count = view.getUint8(at + 5)
  if (at + 6 + 3 * count > end) return undefined
  const components = Array.from({ length: count }, (_, n) => {
    const from = at + 6 + 3 * n
    const sampling = view.getUint8(from + 1)
    return { name: view.getUint8(from), across: sampling >> 4, down: sampling & 15, table: view.getUint8(from + 2) }
  })
  return { height: view.getUint16(at + 1), width: view.getUint16(at + 3), components }
}

const isOneOrTwo = (value: number): value is 1 | 2 => value === 1 || value === 2

/** What a frame and its tables say together; nothing where the colours are no luma and chroma, or are sampled in an unusual way. */
function tablesOf({ width, height, components }: Frame, tables: ReadonlyMap<number, Steps>, isPlain: boolean): JpegTables | undefined {
  const [first, second, third] = components
  const luma = first && tables.get(first.table)
  if (!luma) return undefined
  if (components.length === 1) return { width, height, luma }
  const isRgb = isPlain || (first.name === 0x52 && second?.name === 0x47)
  if (isRgb || components.length !== 3 || !second || !third) return undefined
  const steps = tables.get(second.table)
  const [across, down] = [first.across / second.across, first.down / second.down]
  const isUsual = second.table === third.table && second.across === third.across && second.down === third.down
  if (!steps || !isUsual || !isOneOrTwo(across) || !isOneOrTwo(down)) return { width, height, luma }
  return { width, height, luma, chroma: { steps, across, down } }
}

/** The quantisation tables and sampling of a JPEG file (ITU-T T.81), as far as they stand before its first scan; undefined where they can't be used. */
export function jpegTables(file: Uint8Array): JpegTables | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const tables = new Map<number, Steps>()
  let frame: Frame | undefined
  let isPlain = false
  for (let at = 2; at + 4 <= view.byteLength;) {
    const marker = view.getUint16(at)
    if (marker === 0xffff) {
      at += 1
      continue
    }
    const [from, end] = [at + 4, at + 2 + view.getUint16(at + 2)]
    if (marker < 0xffc0 || end > view.byteLength || end < from) return undefined
    if (marker === 0xffda) break
    if (marker === 0xffdb) readTables(view, from, end, tables)
    // Adobe's segment with transform 0: the samples are red, green and blue themselves.
    else if (marker === 0xffee && end - from >= 12 && view.getUint32(from) === 0x41646f62) isPlain = view.getUint8(from + 11) === 0
    else if (marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) frame ??= readFrame(view, from, end)
    at = end
  }
  return frame && tablesOf(frame, tables, isPlain)
}
