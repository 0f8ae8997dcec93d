import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { hints, variant } from '#shared/tools/field'
import { strength } from '#shared/tools/strength'

/** Colours a black-and-white photo: by our own model, by the colours of another photo, and by strokes that say a colour. */
export const colourize = defineTool({
  id: 'colourize',
  section: 'effect',
  label: '黑白照片上色（辅助）',
  accepts: readableFormats,
  takes: 'each',
  editor: 'colourize',
  cost: 'ai',
  colours: ({ colours }) => colours.by,
  attachment: { option: 'colours', by: 'reference', label: '参考照片', accepts: readableFormats },
  runsOn: ['cloud', 'desktop'],
  options: {
    colours: variant({
      label: '颜色来自',
      initial: 'model',
      cases: {
        model: { label: 'AI 自动', fields: {} },
        reference: { label: '参考照片', fields: {} },
        none: { label: '仅画笔', fields: {} },
      },
    }),
    strength,
    hints: hints({ label: '上色画笔' }),
  },
  pages: [{ path: '/effect/iblack', label: '黑白照片上色（辅助）', inMenu: true }],
})
