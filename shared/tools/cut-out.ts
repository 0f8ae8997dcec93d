import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice, colour, flag, number, readColour, strokes, variant } from '#shared/tools/field'

/** 证件照 blue and the other colours that are asked for most. */
const GROUNDS = ['#ffffff', '#438edb', '#ff0000', '#000000']

const place = (label: string) => number({ label, unit: '%', min: 0, max: 100, initial: 50 })
const blur = number({ label: '模糊', unit: '%', min: 0, max: 100, initial: 0 })

const pageOf = { inMenu: true } as const
const cutting = ['background', 'trim', 'margin', 'format'] as const
/** There is no ground to choose here, and a JPEG would need one. */
const clear = {
  ...pageOf,
  section: 'transparent',
  shows: ['trim', 'margin', 'feather', 'format'],
  leavesOut: { format: ['jpeg'] },
} as const
const white = { background: { by: 'colour', colour: '#ffffff' } } as const

/** Cuts persons, goods or anything else out of a picture, and puts them on nothing or on another background. */
export const cutOut = defineTool({
  id: 'cut-out',
  section: 'matting',
  label: '抠图',
  accepts: readableFormats,
  takes: 'each',
  editor: 'cutOut',
  cost: 'ai',
  subject: ({ kind }) => kind,
  attachment: { option: 'background', by: 'image', label: '背景图片', accepts: readableFormats },
  runsOn: ['cloud', 'desktop'],
  options: {
    kind: choice({ label: '主体', choices: { person: '人像', goods: '物品', general: '通用' }, initial: 'general' }),
    background: variant({
      label: '背景',
      initial: 'transparent',
      read: (word) => (word === 'transparent' ? { by: 'transparent' } : readColour(word)),
      cases: {
        transparent: { label: '透明', fields: {} },
        colour: { label: '纯色', fields: { colour: colour({ label: '背景颜色', initial: '#ffffff', presets: GROUNDS }) } },
        gradient: {
          label: '渐变',
          fields: {
            from: colour({ label: '起始颜色', initial: '#ffffff' }),
            to: colour({ label: '结束颜色', initial: '#438edb' }),
            angle: number({ label: '方向', unit: '°', min: 0, max: 360, initial: 180 }),
          },
        },
        image: {
          label: '图片',
          fields: {
            fit: choice({ label: '铺放', choices: { cover: '铺满', contain: '完整显示' }, initial: 'cover' }),
            x: place('左右位置'),
            y: place('上下位置'),
            imageBlur: blur,
          },
        },
        original: { label: '原背景', fields: { originalBlur: number({ label: '背景虚化', unit: '%', min: 0, max: 100, initial: 50 }) } },
      },
    }),
    feather: number({ label: '边缘羽化', unit: 'px', min: 0, max: 50, step: 0.5, initial: 0 }),
    shift: number({ label: '边缘收缩/扩展', hint: '负数收缩，正数扩展', unit: 'px', min: -20, max: 20, step: 0.5, initial: 0 }),
    decontaminate: flag({ label: '去除边缘杂色', initial: true }),
    trim: flag({ label: '裁剪到主体', initial: false }),
    margin: number({ label: '留白', unit: '%', min: 0, max: 50, initial: 5 }),
    shadow: variant({
      label: '阴影',
      initial: 'none',
      cases: {
        none: { label: '无', fields: {} },
        drop: {
          label: '投影',
          fields: {
            opacity: number({ label: '浓度', unit: '%', min: 0, max: 100, initial: 35 }),
            spread: number({ label: '柔和', unit: '%', min: 0, max: 20, step: 0.1, initial: 3 }),
            distance: number({ label: '距离', unit: '%', min: 0, max: 20, step: 0.1, initial: 2 }),
            direction: number({ label: '光线方向', unit: '°', min: 0, max: 360, initial: 135 }),
          },
        },
      },
    }),
    format: choice({ label: '格式', choices: { auto: '自动', png: 'PNG', webp: 'WebP', jpeg: 'JPG' }, initial: 'auto' }),
    strokes: strokes({ label: '画笔' }),
  },
  matters: (key, { trim }) => key !== 'margin' || trim === true,
  conflict: ({ background, format }) => (background.by === 'transparent' && format === 'jpeg' ? 'options.jpeg-transparent' : undefined),
  pages: [
    { ...pageOf, path: '/matting/person', label: '人像抠图换背景', preset: { kind: 'person', ...white }, shows: cutting },
    { ...pageOf, path: '/matting/goods', label: '物品抠图换背景', preset: { kind: 'goods', ...white }, shows: [...cutting, 'shadow'] },
    { ...pageOf, path: '/matting/general', label: '通用抠图换背景', preset: { kind: 'general', ...white }, shows: [...cutting, 'shadow'] },
    { ...clear, path: '/transparent/general', label: '通用抠图', preset: { kind: 'general' } },
    { ...clear, path: '/transparent/person', label: '人像抠图', preset: { kind: 'person' } },
    { ...clear, path: '/transparent/goods', label: '物品抠图', preset: { kind: 'goods' } },
  ],
})
