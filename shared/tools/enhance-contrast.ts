import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { strength } from '#shared/tools/strength'

/** Gives a flat picture contrast. */
export const enhanceContrast = defineTool({
  id: 'enhance-contrast',
  section: 'effect',
  label: '对比度增强',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: { strength },
  pages: [{ path: '/effect/icontrast', label: '对比度增强', inMenu: true }],
})
