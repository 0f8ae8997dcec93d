import { defineTool } from '#shared/tools/define'
import { pictureEffect, strength } from '#shared/tools/strength'

/** Makes a blurred picture clearer. */
export const sharpen = defineTool({
  id: 'sharpen',
  ...pictureEffect,
  label: '模糊图片变清晰',
  options: { strength },
  pages: [{ path: '/effect/idefinition', label: '模糊图片变清晰', inMenu: true }],
})
