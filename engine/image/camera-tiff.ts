import type { ReadableId } from '#shared/formats'

const tag = { compression: 259, photometric: 262, make: 271, subDirectories: 330, dngVersion: 50_706 } as const
/** A colour filter array, or its interpolated samples (DNG 1.7 §PhotometricInterpretation). */
const RAW_PHOTOMETRIC: ReadonlySet<number> = new Set([32_803, 34_892])
/** Compressions of camera makers: Sony, Samsung, Nikon, Kodak, Pentax. */
const RAW_COMPRESSION: ReadonlySet<number> = new Set([32_767, 32_769, 32_770, 32_772, 34_713, 65_000, 65_535])
const MAX_DIRECTORIES = 12
const MAX_ENTRIES = 200

/** Camera formats with TIFF's structure, by the words of their maker. */
const byMake: readonly (readonly [RegExp, ReadableId])[] = [
  [/^NIKON/i, 'nef'],
  [/^SONY/i, 'arw'],
  [/^(PENTAX|RICOH)/i, 'pef'],
  [/^SAMSUNG/i, 'srw'],
  [/^HASSELBLAD/i, '3fr'],
  [/^(SEIKO )?EPSON/i, 'erf'],
  [/^(EASTMAN )?KODAK/i, 'dcr'],
  [/^MAMIYA/i, 'mef'],
  [/^LEAF/i, 'mos'],
  [/^PHASE ONE/i, 'iiq'],
  [/^SINAR/i, 'sti'],
  [/^LEICA/i, 'rwl'],
  [/^CANON/i, 'cr2'],
]

/** Formats that share this structure and are told apart by the file's name only, once it is known to be a camera's. */
export const cameraTiffs: ReadonlySet<ReadableId> = new Set([
  ...(['cr2', 'nef', 'nrw', 'arw', 'sr2', 'srf', 'dng', 'pef', 'srw', '3fr', 'fff', 'erf'] as const),
  ...(['kdc', 'dcr', 'k25', 'mdc', 'mef', 'mos', 'iiq', 'sti', 'rwl'] as const),
])

/**
 * Which camera's raw file a TIFF structure is, or undefined for a picture in TIFF. Decided by what it holds (sensor samples, a
 * DNG version, a maker's compression) as far as `head` reaches; `named` is the format its name promises, which settles the
 * rest: an ordinary TIFF named `.nef` stays a TIFF when its directories say so.
 */
export function cameraOf(head: Buffer, named: ReadableId | undefined): ReadableId | undefined {
  if (head.toString('latin1', 8, 10) === 'CR') return 'cr2'
  const isPromised = named !== undefined && cameraTiffs.has(named)
  const seen = scan(head)
  if (seen.isDng && !isPromised) return 'dng'
  if (!seen.isRaw && !seen.isDng && !(isPromised && !seen.isWhole)) return undefined
  if (isPromised) return named
  return byMake.find(([words]) => words.test(seen.make))?.[1] ?? 'dng'
}

interface Seen {
  isRaw: boolean
  isDng: boolean
  /** Every directory lay within the head. */
  isWhole: boolean
  make: string
}

function scan(head: Buffer): Seen {
  const seen: Seen = { isRaw: false, isDng: false, isWhole: true, make: '' }
  const isLittle = head.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number): number => (at + 2 > head.length ? 0 : isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at))
  const u32 = (at: number): number => (at + 4 > head.length ? 0 : isLittle ? head.readUInt32LE(at) : head.readUInt32BE(at))
  const waiting = [u32(4)]
  const visited = new Set<number>()
  for (let at = waiting.shift(); at !== undefined && visited.size < MAX_DIRECTORIES; at = waiting.shift()) {
    if (at === 0 || visited.has(at)) continue
    visited.add(at)
    const count = u16(at)
    if (at + 2 + count * 12 > head.length || count > MAX_ENTRIES) {
      seen.isWhole = false
      continue
    }
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
      const [id, values, short, long] = [u16(entry), u32(entry + 4), u16(entry + 8), u32(entry + 8)]
      if (id === tag.photometric && RAW_PHOTOMETRIC.has(short)) seen.isRaw = true
      if (id === tag.compression && RAW_COMPRESSION.has(short)) seen.isRaw = true
      if (id === tag.dngVersion) seen.isDng = true
      if (id === tag.make) seen.make = head.toString('latin1', long, Math.min(long + values, long + 64))
      if (id === tag.subDirectories) for (let i = 0; i < Math.min(values, 4); i++) waiting.push(values === 1 ? long : u32(long + 4 * i))
    }
    waiting.push(u32(at + 2 + count * 12))
  }
  return seen
}
