import { defineTool } from '#shared/tools/define'
import { number } from '#shared/tools/field'
import { pictureEffect, strength } from '#shared/tools/strength'

/** Gives a flat picture contrast. */
export const enhanceContrast = defineTool({
  id: 'enhance-contrast',
  ...pictureEffect,
  label: '对比度增强',
  options: {
    strength,
    shadows: number({ label: '阴影', hint: '向右提亮暗处，向左压暗', min: -100, max: 100, initial: 0 }),
    highlights: number({ label: '高光', hint: '向左压低亮处，向右提亮', min: -100, max: 100, initial: 0 }),
  },
  pages: [{ path: '/effect/icontrast', label: '对比度增强', inMenu: true }],
})
