import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice, number, variant } from '#shared/tools/field'
import { strength } from '#shared/tools/strength'

/** Gives a picture that was stretched or squeezed its proportions back. */
export const unstretch = defineTool({
  id: 'unstretch',
  section: 'effect',
  label: '拉伸图片修复',
  accepts: readableFormats,
  takes: 'each',
  editor: 'unstretch',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: {
    ratio: variant({
      label: '变形',
      initial: 'auto',
      read: (word) => (/^\d+(\.\d+)?$/.test(word) ? { by: 'manual', width: Number(word) } : undefined),
      cases: {
        auto: { label: '自动检测', fields: {} },
        manual: {
          label: '手动',
          fields: { width: number({ label: '宽度改为', hint: '高度不变', unit: '%', min: 25, max: 400, step: 0.1, initial: 100 }) },
        },
      },
    }),
    method: choice({ label: '方式', choices: { resize: '整体缩放', seams: '智能缩放（保护主体）' }, initial: 'resize' }),
    strength,
  },
  pages: [{ path: '/effect/istretch', label: '拉伸图片修复', inMenu: true, shows: ['ratio', 'method'] }],
})
