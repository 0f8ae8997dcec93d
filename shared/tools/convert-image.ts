import { convertibleFormats, formats, writableFormats, type WritableId } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice, colour, flag, number } from '#shared/tools/field'

// fromEntries forgets its keys; they are the ids.
const targets = Object.fromEntries(writableFormats.map((id) => [id, formats[id].label])) as Record<WritableId, string>

const toJpeg = ['quality', 'background', 'keepMetadata', 'keepLocation', 'keepProfile'] as const
const lossless = ['keepMetadata', 'keepLocation', 'keepProfile'] as const
const inFrames = ['quality', 'pages', 'keepMetadata', 'keepLocation', 'keepProfile'] as const

/** Conversion of a picture to another format. */
export const convertImage = defineTool({
  id: 'convert-image',
  section: 'convert',
  label: '图片格式转换',
  accepts: convertibleFormats,
  takes: 'each',
  editor: 'form',
  cost: 'image',
  runsOn: ['cloud', 'desktop'],
  options: {
    format: choice({ label: '转为', choices: targets, initial: 'jpeg' }),
    quality: number({ label: '质量', unit: '%', min: 1, max: 100, initial: 90, presets: [75, 90, 100] }),
    background: colour({ label: '透明处填充', initial: '#ffffff', presets: ['#ffffff', '#000000'] }),
    pages: choice({ label: '多页和动图', choices: { all: '全部页面', first: '仅第一页' }, initial: 'all' }),
    icoSizes: choice({
      label: '图标尺寸',
      choices: {
        multi: '多尺寸（16–256）',
        16: '16×16',
        24: '24×24',
        32: '32×32',
        48: '48×48',
        64: '64×64',
        128: '128×128',
        256: '256×256',
      },
      initial: 'multi',
    }),
    sameFormat: choice({ label: '已是该格式时', choices: { keep: '保持原格式', jpeg: '转为 JPG' }, initial: 'keep' }),
    keepMetadata: flag({ label: '保留拍摄信息', initial: false }),
    keepLocation: flag({ label: '保留拍摄地点', initial: false }),
    keepProfile: flag({ label: '保留色彩配置文件', initial: false }),
  },
  matters: (key, { format }) => key !== 'icoSizes' || format === 'ico',
  pages: [
    {
      path: '/convert/all',
      label: '图片格式转换',
      inMenu: true,
      shows: ['format', 'quality', 'background', 'pages', 'icoSizes', ...lossless],
    },
    {
      path: '/convert/avif',
      label: 'AVIF格式转换',
      inMenu: true,
      preset: { format: 'avif', sameFormat: 'jpeg' },
      shows: ['quality', 'sameFormat', ...lossless],
    },
    {
      path: '/convert/heic',
      label: 'HEIC格式转换',
      inMenu: true,
      preset: { format: 'heic', sameFormat: 'jpeg' },
      shows: ['sameFormat', 'quality', ...lossless],
    },
    { path: '/convert/heictojpg', label: 'HEIC转JPG', inMenu: true, preset: { format: 'jpeg' }, shows: toJpeg, picksFiles: ['heic'] },
    {
      path: '/convert/imgtoico',
      label: '图片转ICO',
      inMenu: true,
      preset: { format: 'ico' },
      shows: ['icoSizes'],
    },
    {
      path: '/convert/tifftojpg',
      label: 'TIFF转JPG',
      inMenu: true,
      preset: { format: 'jpeg' },
      shows: ['pages', ...toJpeg],
      picksFiles: ['tiff'],
    },
    { path: '/convert/pngtojpg', label: 'PNG转JPG', inMenu: true, preset: { format: 'jpeg' }, shows: toJpeg, picksFiles: ['png'] },
    {
      path: '/convert/webptojpg',
      label: 'WebP转JPG',
      inMenu: true,
      preset: { format: 'jpeg' },
      shows: ['pages', ...toJpeg],
      picksFiles: ['webp'],
    },
    { path: '/convert/bmptojpg', label: 'BMP转JPG', inMenu: true, preset: { format: 'jpeg' }, shows: toJpeg, picksFiles: ['bmp'] },
    { path: '/convert/imgtopng', label: '图片转PNG', inMenu: true, preset: { format: 'png' }, shows: ['pages', ...lossless] },
    { path: '/convert/imgtojpg', label: '图片转JPG', inMenu: true, preset: { format: 'jpeg' }, shows: ['pages', ...toJpeg] },
    { path: '/convert/imgtobmp', label: '图片转BMP', inMenu: true, preset: { format: 'bmp' }, shows: ['pages'] },
    { path: '/convert/imgtowebp', label: '图片转WebP', inMenu: true, preset: { format: 'webp' }, shows: inFrames },
    {
      path: '/convert/hundred',
      label: '百种格式互转',
      inMenu: false,
      shows: ['format', 'quality', 'background', 'pages', 'icoSizes', ...lossless],
    },
  ],
})
