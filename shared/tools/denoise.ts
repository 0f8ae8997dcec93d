import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { strength } from '#shared/tools/strength'

/** Takes noise out of a picture. */
export const denoise = defineTool({
  id: 'denoise',
  section: 'effect',
  label: '图片降噪',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: { strength },
  pages: [{ path: '/effect/idenoise', label: '图片降噪', inMenu: true }],
})
