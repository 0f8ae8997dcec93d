import { defineTool } from '#shared/tools/define'
import { flag } from '#shared/tools/field'
import { pictureEffect, strength } from '#shared/tools/strength'

/** Takes a cast out of a picture and makes its colours livelier. */
export const enhanceColour = defineTool({
  id: 'enhance-colour',
  ...pictureEffect,
  label: '色彩增强',
  options: { strength, balance: flag({ label: '自动白平衡', hint: '去掉整张图的偏色', initial: true }) },
  pages: [{ path: '/effect/icolor', label: '色彩增强', inMenu: true }],
})
