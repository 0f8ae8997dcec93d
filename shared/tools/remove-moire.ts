import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { strength } from '#shared/tools/strength'

/** Takes the pattern out of a picture that was taken of a screen. */
export const removeMoire = defineTool({
  id: 'remove-moire',
  section: 'effect',
  label: '去除摩尔纹',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: { strength },
  pages: [{ path: '/effect/imoire', label: '去除摩尔纹', inMenu: false }],
})
