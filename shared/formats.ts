/** What the product knows of a file format: its usual extension first, then the others it goes by. */
interface Format {
  readonly label: string
  readonly extensions: readonly [string, ...string[]]
  readonly mime: string
}

/** Every format some tool reads or writes. Files are told apart by their content; extensions only name results. */
export const formats = {
  jpeg: { label: 'JPG', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'], mime: 'image/jpeg' },
  png: { label: 'PNG', extensions: ['png'], mime: 'image/png' },
  webp: { label: 'WebP', extensions: ['webp'], mime: 'image/webp' },
  avif: { label: 'AVIF', extensions: ['avif'], mime: 'image/avif' },
  gif: { label: 'GIF', extensions: ['gif'], mime: 'image/gif' },
  tiff: { label: 'TIFF', extensions: ['tif', 'tiff'], mime: 'image/tiff' },
  bmp: { label: 'BMP', extensions: ['bmp', 'dib'], mime: 'image/bmp' },
  heic: { label: 'HEIC', extensions: ['heic', 'heif', 'hif'], mime: 'image/heic' },
  zip: { label: 'ZIP', extensions: ['zip'], mime: 'application/zip' },
} as const satisfies Record<string, Format>

/** A format by its name in code and on the wire. */
export type FormatId = keyof typeof formats

/** The formats a picture is compressed in without leaving its format. */
export const compressibleFormats = ['jpeg', 'png', 'webp', 'avif'] as const satisfies readonly FormatId[]
/** A format a picture is compressed in without leaving its format. */
export type CompressibleId = (typeof compressibleFormats)[number]

/** The picture formats this product reads. */
export const readableFormats = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const satisfies readonly FormatId[]
/** A picture format this product reads. */
export type ReadableId = (typeof readableFormats)[number]

/** The picture formats this product writes. */
export const writableFormats = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const satisfies readonly FormatId[]
/** A picture format this product writes. */
export type WritableId = (typeof writableFormats)[number]

/** Whether a word read from a file or a flag names a format of ours. */
export const isFormatId = (word: string): word is FormatId => Object.hasOwn(formats, word)

const shownByBrowsers: ReadonlySet<string> = new Set<FormatId>(['jpeg', 'png', 'webp', 'avif', 'gif', 'bmp'])

/** Whether every browser of today shows a picture of this format. */
export const isShownByBrowsers = (format: string): boolean => shownByBrowsers.has(format)

/** The labels of some formats for a sentence: `JPG、PNG、WebP`. */
export const formatLabels = (ids: readonly FormatId[]): string => ids.map((id) => formats[id].label).join('、')

/** Whether an extension (no dot, any case) is one the format goes by. */
export const hasExtension = (id: FormatId, extension: string): boolean => {
  const known: readonly string[] = formats[id].extensions
  return known.includes(extension.toLowerCase())
}
