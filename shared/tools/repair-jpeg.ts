import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { strength } from '#shared/tools/strength'

/** Takes blocks and ringing out of a picture that was compressed too much. */
export const repairJpeg = defineTool({
  id: 'repair-jpeg',
  section: 'effect',
  label: '压缩图片修复',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: { strength },
  pages: [{ path: '/effect/icompress', label: '压缩图片修复', inMenu: true }],
})
