import type { Options } from '../state/settings.ts'
import type { Corners } from '../ui/quad-stage.tsx'
import { quadOf, type ScanOptions } from '#shared/effects/scan-document/scan'
import { initialOf } from '#shared/tools/field'
import { parseOptions } from '#shared/tools/index'
import { scanDocument } from '#shared/tools/scan-document'

export type ScanMode = ScanOptions['mode']

/** What is chosen for a document: where its page lies (found, all of the picture, or corners by hand) and how it is to look. */
export interface DocumentDraft {
  readonly page: 'auto' | 'whole' | Corners
  readonly mode: ScanMode
}

const start = initialOf(scanDocument.options)

/** Options as the tool takes them, from what a form holds; where something in the form doesn't pass, as they start. */
function checked(options: Options): ScanOptions {
  try {
    return parseOptions('scan-document', options)
  } catch {
    return start
  }
}

/** The draft that options describe. */
export function draftOf(options: Options): DocumentDraft {
  const { crop, corners, mode } = checked(options)
  return { page: crop ? (corners.by === 'auto' ? 'auto' : quadOf(corners)) : 'whole', mode }
}

const rounded = (part: number): number => Math.round(part * 1e4) / 1e4

/** The options a draft says. */
export function optionsOf({ page, mode }: DocumentDraft): Pick<ScanOptions, 'mode' | 'crop' | 'corners'> {
  if (typeof page === 'string') return { mode, crop: page === 'auto', corners: { by: 'auto' } }
  const [a, b, c, d] = page
  const places = { x1: a.x, y1: a.y, x2: b.x, y2: b.y, x3: c.x, y3: c.y, x4: d.x, y4: d.y }
  const parts = Object.fromEntries(Object.entries(places).map(([key, part]) => [key, rounded(part)])) as typeof places // the same keys
  return { mode, crop: true, corners: { by: 'manual', ...parts } }
}

/** A file's options with what a draft says laid over them: what the engine would be asked. */
export const lookOf = (options: Options, draft: DocumentDraft): ScanOptions => checked({ ...options, ...optionsOf(draft) })

/** The corners after one of them was moved. */
export const movedCorner = (corners: Corners, corner: number, to: Corners[number]): Corners => {
  const at = (n: 0 | 1 | 2 | 3): Corners[number] => (n === corner ? to : corners[n])
  return [at(0), at(1), at(2), at(3)]
}
