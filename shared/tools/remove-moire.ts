import { defineTool } from '#shared/tools/define'
import { pictureEffect, strength } from '#shared/tools/strength'

/** Takes the pattern out of a picture that was taken of a screen. */
export const removeMoire = defineTool({
  id: 'remove-moire',
  ...pictureEffect,
  label: '去除摩尔纹',
  options: { strength },
  pages: [{ path: '/effect/imoire', label: '去除摩尔纹', inMenu: false }],
})
