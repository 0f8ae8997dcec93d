import { defineTool } from '#shared/tools/define'
import { pictureEffect, strength } from '#shared/tools/strength'

/** Takes blocks and ringing out of a picture that was compressed too much. */
export const repairJpeg = defineTool({
  id: 'repair-jpeg',
  ...pictureEffect,
  label: '压缩图片修复',
  options: { strength },
  pages: [{ path: '/effect/icompress', label: '压缩图片修复', inMenu: true }],
})
