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
    shadows: number({ label: '阴影', hint: '正数提亮暗处，负数压暗（-100 到 100）', min: -100, max: 100, initial: 0 }),
    highlights: number({ label: '高光', hint: '负数压低亮处，正数提亮（-100 到 100）', min: -100, max: 100, initial: 0 }),
  },
  pages: [{ path: '/effect/icontrast', label: '对比度增强', inMenu: true }],
})
