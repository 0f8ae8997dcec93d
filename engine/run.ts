import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, InputFile, Job, OutputFile, Processor } from './processor.ts'
import { freeName } from '#shared/names'
import { ruledName } from '#shared/ruled-name'
import type { ToolId } from '#shared/tools/index'

/** Loaded on first use, so that a child that only compresses never loads another tool's codecs. */
const processors: { readonly [Id in ToolId]: () => Promise<Processor<Id>> } = {
  'compress-image': async () => (await import('./processors/compress-image.ts')).compressImage,
  'pack-zip': async () => (await import('./processors/pack-zip.ts')).packZip,
  'convert-image': async () => (await import('./processors/convert-image.ts')).convertImage,
  'resize-image': async () => (await import('./processors/resize-image.ts')).resizeImage,
  'crop-image': async () => (await import('./processors/crop-image.ts')).cropImage,
  'set-dpi': async () => (await import('./processors/set-dpi.ts')).setDpi,
  'cut-out': async () => (await import('./processors/cut-out.ts')).cutOut,
  'id-photo': async () => (await import('./processors/id-photo.ts')).idPhoto,
  colourize: async () => (await import('./processors/colourize.ts')).colourize,
  sharpen: async () => (await import('./processors/sharpen.ts')).sharpen,
  upscale: async () => (await import('./processors/upscale.ts')).upscale,
  'repair-jpeg': async () => (await import('./processors/repair-jpeg.ts')).repairJpeg,
  unstretch: async () => (await import('./processors/unstretch.ts')).unstretch,
  'enhance-contrast': async () => (await import('./processors/enhance-contrast.ts')).enhanceContrast,
  'enhance-colour': async () => (await import('./processors/enhance-colour.ts')).enhanceColour,
  dehaze: async () => (await import('./processors/dehaze.ts')).dehaze,
  denoise: async () => (await import('./processors/denoise.ts')).denoise,
  'remove-moire': async () => (await import('./processors/remove-moire.ts')).removeMoire,
  'scan-document': async () => (await import('./processors/scan-document.ts')).scanDocument,
  'pdf-ocr': async () => (await import('./processors/pdf-ocr.ts')).pdfOcr,
  'pdf-to-word': async () => (await import('./processors/pdf-to-word.ts')).pdfToWord,
  'pdf-to-excel': async () => (await import('./processors/pdf-to-excel.ts')).pdfToExcel,
  'pdf-to-ppt': async () => (await import('./processors/pdf-to-ppt.ts')).pdfToPpt,
  'pdf-to-ofd': async () => (await import('./processors/pdf-to-ofd.ts')).pdfToOfd,
  'pdf-to-text': async () => (await import('./processors/pdf-to-text.ts')).pdfToText,
}

/** A job that fails leaves nothing: what it has written so far is half a file. */
async function emptied(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Runs a job in this process. Only a child process does: decoding strangers' files may hang, crash or eat memory. */
export async function run<Id extends ToolId>(job: Job<Id>, context: Context): Promise<readonly OutputFile[]> {
  const process = await processors[job.tool]()
  const outputs = await process(job, context).catch(async (thrown: unknown) => {
    await emptied(context.folder)
    throw thrown
  })
  const { options, inputs }: Job = job
  return 'fileName' in options ? named(outputs, options.fileName, inputs[0]) : outputs
}

/** Results under the names a rule gives them, no two of them alike; parts are nobody's to keep and stay as they are. */
function named(outputs: readonly OutputFile[], rule: string, { place = 1 }: InputFile): readonly OutputFile[] {
  const madeAt = new Date()
  const taken = new Set<string>()
  const count = outputs.filter(({ part }) => part === undefined).length
  let page = 0
  return outputs.map((output) => {
    if (output.part !== undefined) return output
    page += 1
    const pages = count > 1 ? ([page, count] as const) : undefined
    return { ...output, name: freeName(taken, '', ruledName(rule, { ...output, place, page: pages, madeAt })) }
  })
}
