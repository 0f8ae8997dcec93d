import type { ReadableId } from '#shared/formats'

/** Whether the bytes at `at` are these: text as Latin-1, hexadecimal where it starts with `#`; `?` in text stands for any byte. */
function isAt(head: Buffer, pattern: string, at = 0): boolean {
  if (/^#[0-9a-f]+$/.test(pattern)) {
    const bytes = Buffer.from(pattern.slice(1), 'hex')
    return head.subarray(at, at + bytes.length).equals(bytes)
  }
  return head.length >= at + pattern.length && [...pattern].every((letter, i) => letter === '?' || head[at + i] === letter.charCodeAt(0))
}

const magic =
  (...patterns: readonly string[]) =>
  (head: Buffer): boolean =>
    patterns.some((pattern) => isAt(head, pattern))

const magicAt = (at: number, pattern: string) => (head: Buffer) => isAt(head, pattern, at)

const text = (pattern: RegExp) => (head: Buffer) => pattern.test(head.toString('latin1', 0, 4096))

const brands =
  (...names: readonly string[]) =>
  (head: Buffer): boolean =>
    names.some((name) => brandsIn(head).has(name))

/**
 * The brands of an ISO base media file, major and compatible (ISO/IEC 14496-12 §4.3); empty for other files. AVIF may be
 * named by either; `avis` is for image sequences.
 */
export function brandsIn(head: Buffer): ReadonlySet<string> {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return new Set()
  const end = Math.min(head.length, head.readUInt32BE(0), 256)
  const found = new Set([head.toString('latin1', 8, 12)])
  for (let at = 16; at + 4 <= end; at += 4) found.add(head.toString('latin1', at, at + 4))
  return found
}

const BMP_HEADERS: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124])
const isBmp = (head: Buffer): boolean => head.length >= 18 && isAt(head, 'BM') && BMP_HEADERS.has(head.readUInt32LE(14))

/** Icons and cursors (a directory of 16-byte entries): between 1 and 256 of them, each with its reserved byte 0 or 255. */
const isIcon = (kind: 1 | 2) => (head: Buffer) =>
  head.length >= 22 && head.readUInt32LE(0) === kind << 16 && head.readUInt16LE(4) >= 1 && head.readUInt16LE(4) <= 256

const isPcx = (head: Buffer): boolean =>
  isAt(head, '#0a') && [0, 2, 3, 4, 5].includes(head[1] ?? 9) && (head[2] ?? 9) <= 1 && [1, 2, 4, 8].includes(head[3] ?? 0)

const isSgi = (head: Buffer): boolean => isAt(head, '#01da') && (head[2] ?? 9) <= 1 && [1, 2].includes(head[3] ?? 0)

/** PlayStation: a flag word of depth 0..3 with or without a colour table (bit 3). */
const isTim = (head: Buffer): boolean => isAt(head, '#10000000') && ((head[4] ?? 255) & 0xf4) === 0 && isAt(head, '#000000', 5)

/** Quick Draw pictures carry 512 bytes of anything first, then size, frame and a version opcode. */
const isPict = (head: Buffer): boolean => isAt(head, '#001102ff0c00', 522) || (isAt(head, '#1101', 522) && head.readUInt32BE(512) !== 0)

// An XML prolog, comments and a DOCTYPE may come first; the root element says whether it is a picture.
const SVG_ROOT =
  /^(?:\u00ef\u00bb\u00bf)?\s*(?:<\?xml[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE\s+svg[^[>]*(?:\[[\s\S]*?\]\s*)?>\s*)*<(?:\w+:)?svg[\s>]/i

type Signature = readonly [ReadableId, (head: Buffer) => boolean]

/** What the first bytes of each format look like; the first that fits counts. TIFF is looked into further for camera files. */
export const signatures: readonly Signature[] = [
  ['jpeg', magic('#ffd8ff')],
  ['png', magic('#89504e470d0a1a0a')],
  ['gif', magic('GIF87a', 'GIF89a')],
  ['webp', magic('RIFF????WEBP')],
  ['avif', brands('avif', 'avis')],
  ['cr3', brands('crx ')],
  ['heic', brands('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'mif2', 'msf1')],
  ['jxl', magic('#ff0a', '#0000000c4a584c200d0a870a')],
  ['jp2', magic('#0000000c6a5020200d0a870a')],
  ['j2k', magic('#ff4fff51')],
  ['orf', magic('IIRO', 'IIRS', 'MMOR')],
  ['rw2', magic('#49495500')],
  ['raf', magic('FUJIFILMCCD-RAW')],
  ['crw', magicAt(6, 'HEAPCCDR')],
  ['mrw', magic('#004d524d')],
  ['x3f', magic('FOVb')],
  ['tiff', magic('#49492a00', '#4d4d002a', '#49492b00', '#4d4d002b')],
  ['psd', magic('#384250530001')],
  ['psb', magic('#384250530002')],
  ['xcf', magic('gimp xcf ')],
  ['bmp', isBmp],
  ['ico', isIcon(1)],
  ['cur', isIcon(2)],
  ['icns', magic('icns')],
  ['svg', text(SVG_ROOT)],
  ['dds', magic('DDS ')],
  ['qoi', magic('qoif')],
  ['aseprite', magicAt(4, '#e0a5')],
  ['tm2', magic('TIM2')],
  ['tim', isTim],
  ['mng', magic('#8a4d4e470d0a1a0a')],
  ['jng', magic('#8b4a4e470d0a1a0a')],
  ['hdr', magic('#?RADIANCE', '#?RGBE')],
  ['exr', magic('#762f3101')],
  ['pfm', text(/^P[Ff]\s/)],
  ['phm', text(/^P[Hh]\s/)],
  ['pbm', text(/^P[14]\s/)],
  ['pgm', text(/^P[25]\s/)],
  ['ppm', text(/^P[36]\s/)],
  ['pam', text(/^P7\s+(#|WIDTH|HEIGHT|DEPTH|MAXVAL|TUPLTYPE)/)],
  ['farbfeld', magic('farbfeld')],
  ['dpx', magic('SDPX', 'XPDS')],
  ['cin', magic('#802a5fd7', '#d75f2a80')],
  ['fl32', magic('FL32')],
  ['fits', magic('SIMPLE  =')],
  ['dcm', magicAt(128, 'DICM')],
  ['vicar', magic('LBLSIZE=')],
  ['pgx', text(/^PG\s+(ML|LM)/)],
  ['mat', magic('MATLAB 5.0 MAT-file')],
  ['ipl', magic('iiii', 'mmmm')],
  ['miff', magic('id=ImageMagick')],
  ['vips', magic('#08f2a6b6', '#b6a6f208')],
  ['viff', magic('#ab01')],
  ['xpm', text(/^\s*\/\* XPM \*\//)],
  ['xbm', text(/^\s*(\/\*[\s\S]{0,2000}?\*\/\s*)?#define\s+\w+\s+\d+\s+#define\s+\w+\s+\d+\s/)],
  ['sgi', isSgi],
  ['ras', magic('#59a66a95')],
  ['dcx', magic('#b168de3a')],
  ['pcx', isPcx],
  ['wpg', magic('#ff575043')],
  ['pdb', magicAt(60, 'vIMGView')],
  ['pcd', magicAt(2048, 'PCD_')],
  ['utah', magic('#52cc')],
  ['sct', magicAt(80, 'CT')],
  ['sfw', magic('SFW94', 'SFW95', 'SFW98')],
  ['mac', magicAt(65, 'PNTGMPNT')],
  ['pict', isPict],
]
