import { defineTool } from '#shared/tools/define'
import { pictureEffect, strength } from '#shared/tools/strength'

/** Takes haze out of a picture. */
export const dehaze = defineTool({
  id: 'dehaze',
  ...pictureEffect,
  label: '图片去雾',
  options: { strength },
  pages: [{ path: '/effect/idehaze', label: '图片去雾', inMenu: true }],
})
