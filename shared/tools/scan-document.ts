import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice, flag, number, variant, type ReadCase } from '#shared/tools/field'
import { strength } from '#shared/tools/strength'

/** A corner's place as a part of the picture's width or height. */
const part = (label: string, initial: number) => number({ label, min: 0, max: 1, step: 0.0001, initial })

/** Four corners in one word: `0.1,0.05,0.9,0.06,0.95,0.97,0.04,0.95`. */
const readCorners: ReadCase = (word) => {
  const numbers = word.split(',').map(Number)
  if (numbers.length !== 8 || numbers.some(Number.isNaN)) return undefined
  const [x1, y1, x2, y2, x3, y3, x4, y4] = numbers
  return { by: 'manual', x1, y1, x2, y2, x3, y3, x4, y4 }
}

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
    corners: variant({
      label: '页面四角',
      initial: 'auto',
      read: readCorners,
      cases: {
        auto: { label: '自动识别', fields: {} },
        manual: {
          label: '手动',
          fields: {
            x1: part('左上角横坐标', 0),
            y1: part('左上角纵坐标', 0),
            x2: part('右上角横坐标', 1),
            y2: part('右上角纵坐标', 0),
            x3: part('右下角横坐标', 1),
            y3: part('右下角纵坐标', 1),
            x4: part('左下角横坐标', 0),
            y4: part('左下角纵坐标', 1),
          },
        },
      },
    }),
    straighten: flag({ label: '校正倾斜', initial: true }),
    strength,
    format: choice({ label: '输出格式', choices: { same: '原格式', jpeg: 'JPG', png: 'PNG', pdf: 'PDF' }, initial: 'same' }),
  },
  pages: [
    { path: '/effect/idocrepaire', label: '文档图片修复', inMenu: false, shows: ['mode', 'crop', 'straighten', 'strength', 'format'] },
  ],
})
