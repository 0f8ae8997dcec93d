import { compressibleFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { flag, number, optionalNumber, variant } from '#shared/tools/field'

const keepPixels = flag({ label: '保持像素尺寸', hint: '关闭时，目标过小会自动缩小宽高', initial: false })

/** Compression of a picture in its own format: to a size, a part of its size, or a quality. */
export const compressImage = defineTool({
  id: 'compress-image',
  section: 'compress',
  label: '图片压缩',
  accepts: compressibleFormats,
  takes: 'each',
  editor: 'form',
  cost: 'image',
  runsOn: ['cloud', 'desktop'],
  options: {
    goal: variant({
      label: '压缩方式',
      initial: 'size',
      cases: {
        size: {
          label: '指定大小（KB）',
          fields: {
            targetKb: number({
              label: '目标大小',
              unit: 'KB',
              min: 1,
              max: 204_800,
              step: 0.1,
              initial: 200,
              presets: [20, 30, 50, 100, 200, 500],
            }),
            minKb: optionalNumber({
              label: '最小大小',
              hint: '报名网站要求 20–100 KB 这样的范围时填写',
              unit: 'KB',
              min: 1,
              max: 204_800,
              step: 0.1,
            }),
            keepPixels,
          },
        },
        megabytes: {
          label: '指定大小（MB）',
          fields: {
            targetMb: number({ label: '目标大小', unit: 'MB', min: 0.01, max: 200, step: 0.01, initial: 1, presets: [1, 2, 5, 10] }),
            keepPixels,
          },
        },
        quality: {
          label: '指定质量',
          fields: { quality: number({ label: '质量', unit: '%', min: 1, max: 100, initial: 80, presets: [60, 75, 90] }) },
        },
        percent: {
          label: '按原大小的百分比',
          fields: { percent: number({ label: '压缩到原大小的', unit: '%', min: 1, max: 100, initial: 50, presets: [30, 50, 70] }) },
        },
      },
    }),
    keepMetadata: flag({ label: '保留拍摄信息', hint: '关闭时，位置等隐私不会留在图片里', initial: false }),
  },
  conflict: ({ goal }) =>
    goal.by === 'size' && goal.minKb !== undefined && goal.minKb > goal.targetKb ? 'options.range-reversed' : undefined,
  pages: [
    { path: '/', label: '图片压缩到指定KB', inMenu: true },
    { path: '/sizemb', label: '图片压缩到指定MB', inMenu: true, preset: { goal: { by: 'megabytes', targetMb: 1, keepPixels: false } } },
    { path: '/all', label: '图片万能压缩', inMenu: true, preset: { goal: { by: 'quality', quality: 75 } } },
    { path: '/png', label: 'PNG压缩', inMenu: true },
    { path: '/jpg', label: 'JPG压缩', inMenu: true },
    { path: '/jpeg', label: 'JPEG压缩', inMenu: true },
    { path: '/webp', label: 'WebP压缩', inMenu: false },
    { path: '/gif', label: 'GIF动图压缩', inMenu: true, picksFiles: ['gif'] },
  ],
})
