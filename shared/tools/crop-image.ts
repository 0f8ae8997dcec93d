import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice, flag, number, optionalNumber } from '#shared/tools/field'

/** A hundredth: of a pixel it means nothing, of a percent it is a pixel of the largest pictures. */
const place = { min: 0, max: 100_000, step: 0.01 } as const
const side = { min: 0.01, max: 100_000, step: 0.01 } as const

/** A part of a picture, which may be turned, mirrored and straightened before; in this order. */
export const cropImage = defineTool({
  id: 'crop-image',
  section: 'edit',
  label: '图片裁剪',
  accepts: readableFormats,
  takes: 'each',
  editor: 'crop',
  cost: 'image',
  runsOn: ['cloud', 'desktop'],
  options: {
    ratio: choice({
      label: '比例',
      choices: {
        free: '自由',
        original: '原图比例',
        '1:1': '1:1 正方形',
        '4:3': '4:3',
        '3:4': '3:4',
        '16:9': '16:9',
        '9:16': '9:16',
        '3:2': '3:2',
        '2:3': '2:3',
      },
      initial: 'free',
    }),
    left: number({ label: '左边距', initial: 0, ...place }),
    top: number({ label: '上边距', initial: 0, ...place }),
    width: optionalNumber({ label: '裁剪宽度', ...side }),
    height: optionalNumber({ label: '裁剪高度', ...side }),
    unit: choice({ label: '单位', choices: { px: '像素', percent: '百分比' }, initial: 'px' }),
    rotate: choice({ label: '旋转', choices: { '0': '不旋转', '90': '右转 90°', '180': '旋转 180°', '270': '左转 90°' }, initial: '0' }),
    flip: choice({
      label: '翻转',
      choices: { none: '不翻转', horizontal: '左右翻转', vertical: '上下翻转', both: '左右和上下' },
      initial: 'none',
    }),
    straighten: number({ label: '拉直', unit: '°', min: -45, max: 45, step: 0.1, initial: 0 }),
    circle: flag({ label: '圆形裁剪', initial: false }),
  },
  pages: [{ path: '/edit/crop', label: '图片裁剪', inMenu: true }],
})
