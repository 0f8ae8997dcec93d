import { hasExtension, type FormatId } from '#shared/formats'
import { splitName } from '#shared/names'
import { findPage } from '#shared/tools/index'

const FOR_PDFS = '/pdf/toword'
const FOR_PICTURES = '/'

const isTaken = (accepts: readonly FormatId[] | 'any', name: string): boolean =>
  accepts === 'any' || accepts.some((id) => hasExtension(id, splitName(name).extension))

/** The page for a file that came from outside: the one that is open where it takes it, else the one most files of its kind are for. */
export function pageFor(name: string, open: string): string {
  const tool = findPage(open)?.tool
  if (tool && isTaken(tool.accepts, name)) return open
  return splitName(name).extension.toLowerCase() === 'pdf' ? FOR_PDFS : FOR_PICTURES
}
