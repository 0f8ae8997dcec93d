import { readFile } from 'node:fs/promises'
import { readBmp } from '../codecs/bmp/read-bmp.ts'
import { checkDecodes } from '../image/check-decodes.ts'
import { hasDensity, withDpi } from '../image/density/density.ts'
import { identify } from '../image/identify.ts'
import { writeOutput } from '../output-file.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { formatLabels, formats, readableFormats } from '#shared/formats'
import { densityFormats } from '#shared/tools/set-dpi'

/** Of a file that is no picture, says which formats are taken here, not which are known. */
function nameTaken(thrown: unknown): never {
  const isForeign = thrown instanceof AppError && thrown.code === 'file.unsupported'
  throw isForeign ? new AppError('file.unsupported', { formats: formatLabels(densityFormats) }) : thrown
}

/**
 * Sets the density a picture says it is printed at, in dots per inch. Nothing is encoded again: its coded pixels stay byte for byte.
 * Throws `format.no-density` for formats that can't say one, `file.*` and `image.*` for what can't be read.
 */
export const setDpi: Processor<'set-dpi'> = async ({ inputs: [input], options }, { folder, limits, progress }) => {
  const { format } = await identify(input.path, readableFormats, input.name).catch(nameTaken)
  if (!hasDensity(format)) throw new AppError('format.no-density', { format: formats[format].label })
  const file = await readFile(input.path)
  const { width, height } = format === 'bmp' ? await readBmp(file, limits) : await checkDecodes(input.path, limits)
  progress(0.7)
  const bytes = withDpi(file, format, options.dpi)
  return [await writeOutput({ bytes, format, width, height }, input.name, folder)]
}
