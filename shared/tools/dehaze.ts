import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { strength } from '#shared/tools/strength'

/** Takes haze out of a picture. */
export const dehaze = defineTool({
  id: 'dehaze',
  section: 'effect',
  label: '图片去雾',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: { strength },
  pages: [{ path: '/effect/idehaze', label: '图片去雾', inMenu: true }],
})
