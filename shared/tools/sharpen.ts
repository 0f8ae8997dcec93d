import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { strength } from '#shared/tools/strength'

/** Makes a blurred picture clearer. */
export const sharpen = defineTool({
  id: 'sharpen',
  section: 'effect',
  label: '模糊图片变清晰',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: { strength },
  pages: [{ path: '/effect/idefinition', label: '模糊图片变清晰', inMenu: true }],
})
