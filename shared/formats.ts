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
} as const satisfies Record<string, Format>

/** A format by its name in code and on the wire. */
export type FormatId = keyof typeof formats

/** Whether a word read from a file or a flag names a format of ours. */
export const isFormatId = (word: string): word is FormatId => Object.hasOwn(formats, word)

/** The labels of some formats for a sentence: `JPG、PNG、WebP`. */
export const formatLabels = (ids: readonly FormatId[]): string => ids.map((id) => formats[id].label).join('、')

/** Whether an extension (no dot, any case) is one the format goes by. */
export const hasExtension = (id: FormatId, extension: string): boolean => {
  const known: readonly string[] = formats[id].extensions
  return known.includes(extension.toLowerCase())
}
