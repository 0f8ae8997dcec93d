import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice, flag } from '#shared/tools/field'
import { strength } from '#shared/tools/strength'

/** Makes of the photo of a page what a scanner would have made of it. */
export const scanDocument = defineTool({
  id: 'scan-document',
  section: 'effect',
  label: '文档图片修复',
  accepts: readableFormats,
  takes: 'each',
  editor: 'document',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: {
    mode: choice({ label: '效果', choices: { colour: '彩色', grey: '灰度', mono: '黑白' }, initial: 'colour' }),
    crop: flag({ label: '裁剪到页面', initial: true }),
    straighten: flag({ label: '校正倾斜', initial: true }),
    strength,
  },
  pages: [{ path: '/effect/idocrepaire', label: '文档图片修复', inMenu: false }],
})
