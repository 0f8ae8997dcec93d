import { defineTool } from '#shared/tools/define'
import { pictureEffect, strength } from '#shared/tools/strength'

/** Takes noise out of a picture. */
export const denoise = defineTool({
  id: 'denoise',
  ...pictureEffect,
  label: '图片降噪',
  options: { strength },
  pages: [{ path: '/effect/idenoise', label: '图片降噪', inMenu: true }],
})
