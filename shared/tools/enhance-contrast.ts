import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { number } from '#shared/tools/field'
import { strength } from '#shared/tools/strength'

/** Gives a flat picture contrast. */
export const enhanceContrast = defineTool({
  id: 'enhance-contrast',
  section: 'effect',
  label: '对比度增强',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: {
    strength,
    shadows: number({ label: '阴影', hint: '向右提亮暗处，向左压暗', min: -100, max: 100, initial: 0 }),
    highlights: number({ label: '高光', hint: '向左压低亮处，向右提亮', min: -100, max: 100, initial: 0 }),
  },
  pages: [{ path: '/effect/icontrast', label: '对比度增强', inMenu: true }],
})
