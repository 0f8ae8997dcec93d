import { AppError } from '#shared/errors/app-error'

// What sharp, libvips and the operating system say, and what it means to the person who gave the file. First match wins.
const meanings: readonly (readonly [RegExp, () => AppError])[] = [
  [/ENOSPC|EDQUOT|no space left/i, () => new AppError('storage.full', {})],
  [/EACCES|EPERM|EROFS/, () => new AppError('storage.read-only', {})],
  [/ENOENT|EISDIR/, () => new AppError('file.missing', {})],
  [/Input Buffer is empty|Input file is empty/i, () => new AppError('file.empty', {})],
  [/corrupt header: .*(bad seek|bytes)/is, unreadable],
  // libheif says so of versions and boxes that only broken files have.
  [/Unsupported data version|Invalid input: /i, unreadable],
  [/Unsupported JPEG (process|data precision|marker)|unsupported (compression|bit depth|color ?space)|not implemented/i, unusual],
  [/Unsupported codec|Support for this compression format has not been built in/i, unusual],
  [/out of memory|allocation failed|unable to allocate/i, () => new AppError('job.out-of-memory', {})],
  [
    /corrupt|truncat|premature end|unsupported image format|bad (header|image|magic)|invalid|read error|not enough|end of (file|stream|data)|unable to (open|read|decode|parse|load)|libpng|VipsJpeg|heif:|webp2vips|tiff2vips|gifload|pngload|jpegload|heifload|webpload/i,
    unreadable,
  ],
]

function unusual(): AppError {
  return new AppError('file.unusual-encoding', {})
}

function unreadable(): AppError {
  return new AppError('file.unreadable', {})
}

/** What a library's failure means to a person; an AppError passes through, the unknown becomes `internal`. The original is kept as cause. */
export function translate(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  const meaning = meanings.find(([pattern]) => pattern.test(text))?.[1]() ?? new AppError('internal', {})
  return new AppError(meaning.code, meaning.data, { cause: thrown })
}

/** Like `translate`, of what a decoder says of a file: words that mean nothing to us are still about the file (`file.unreadable`), not about us. */
export function fileFailure(thrown: unknown): AppError {
  const failure = translate(thrown)
  return failure.code === 'internal' ? new AppError('file.unreadable', {}, { cause: thrown }) : failure
}

/** The code by which Node, the system or a library names what was thrown (`ENOENT`); undefined where it has none. */
export const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined)

/** Throws what a decoder says of a file as `fileFailure`. */
export function blameFile(thrown: unknown): never {
  throw fileFailure(thrown)
}
