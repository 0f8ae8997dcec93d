import { readableFormats } from '#shared/formats'
import { idPhotos, type IdPhotoId } from '#shared/id-photos'
import { papers, type PaperId } from '#shared/print-sheet'
import { defineTool } from '#shared/tools/define'
import { choice, colour, flag, number, optionalNumber, readColour, variant } from '#shared/tools/field'

const presetIds = Object.keys(idPhotos) as IdPhotoId[] // Object.keys forgets the key type
const presetNames = Object.fromEntries(
  presetIds.map((id) => [id, `${idPhotos[id].name} ${idPhotos[id].widthPx}×${idPhotos[id].heightPx}`]),
) as Record<IdPhotoId, string> // fromEntries forgets which keys it was given
const paperIds = Object.keys(papers) as PaperId[] // as above
const paperNames = Object.fromEntries(paperIds.map((id) => [id, `${papers[id].label}排版`])) as Record<PaperId, string> // as above

const percent = (label: string, initial: number) => number({ label, unit: '%', min: 0, max: 100, step: 0.1, initial })
const side = (label: string) => optionalNumber({ label, unit: 'px', min: 20, max: 5000 })

/** ID photos: cropped to a preset's exact pixels, within its KB window, at its dpi; on request a sheet to print. */
export const idPhoto = defineTool({
  id: 'id-photo',
  section: 'compress',
  label: '证件照',
  accepts: readableFormats,
  takes: 'each',
  editor: 'idPhoto',
  cost: 'image',
  subject: ({ background }) => (background.by === 'colour' ? 'person' : undefined),
  runsOn: ['cloud', 'desktop'],
  options: {
    preset: choice({
      label: '证件照规格',
      choices: { ...presetNames, custom: '自定义尺寸', none: '不改尺寸' },
      initial: 'one-inch',
    }),
    width: side('宽度'),
    height: side('高度'),
    keepRatio: flag({ label: '裁剪保持比例', initial: true }),
    minKb: optionalNumber({ label: '最小大小', unit: 'KB', min: 1, max: 10_240, step: 0.1 }),
    maxKb: optionalNumber({ label: '最大大小', unit: 'KB', min: 1, max: 10_240, step: 0.1 }),
    dpi: optionalNumber({ label: '分辨率', unit: 'dpi', min: 1, max: 2400, presets: [300, 350] }),
    format: choice({ label: '格式', choices: { jpeg: 'JPG', png: 'PNG', source: '与原图相同' }, initial: 'jpeg' }),
    crop: variant({
      label: '裁剪',
      initial: 'auto',
      cases: {
        auto: { label: '自动居中', fields: {} },
        face: { label: '自动识别人脸', fields: {} },
        rectangle: {
          label: '指定范围',
          // Named apart from the result's own width and height: on a command line they stand side by side.
          fields: {
            cropLeft: percent('左边', 0),
            cropTop: percent('上边', 0),
            cropWidth: number({ label: '裁剪宽度', unit: '%', min: 1, max: 100, step: 0.1, initial: 100 }),
            cropHeight: number({ label: '裁剪高度', unit: '%', min: 1, max: 100, step: 0.1, initial: 100 }),
          },
        },
        head: {
          label: '按头部位置',
          fields: {
            crown: percent('头顶', 15),
            eyes: percent('眼睛', 35),
            chin: percent('下巴', 55),
            centre: percent('脸部中线', 50),
            tilt: number({ label: '头部倾斜', unit: '°', min: -30, max: 30, step: 0.1, initial: 0 }),
          },
        },
      },
    }),
    background: variant({
      label: '背景',
      initial: 'keep',
      read: (word) => (word === 'keep' ? { by: 'keep' } : readColour(word)),
      cases: {
        keep: { label: '原背景', fields: {} },
        colour: {
          label: '换底色',
          fields: { colour: colour({ label: '底色', initial: '#438edb', presets: ['#ffffff', '#438edb', '#ff0000'] }) },
        },
      },
    }),
    sheet: choice({ label: '打印排版', choices: { none: '不排版', ...paperNames }, initial: 'none' }),
  },
  conflict: ({ preset, width, height, minKb, maxKb, crop }) => {
    if (preset === 'custom' && width === undefined && height === undefined) return 'options.side-missing'
    if (minKb !== undefined && maxKb !== undefined && minKb > maxKb) return 'options.range-reversed'
    if (crop.by === 'head' && !(crop.crown < crop.eyes && crop.eyes < crop.chin)) return 'options.head-marks'
    return undefined
  },
  pages: [
    { path: '/doc', label: '证件照压缩', inMenu: true, shows: ['preset', 'minKb', 'maxKb', 'background', 'dpi', 'format', 'crop'] },
    {
      path: '/docsize',
      label: '证件照改尺寸',
      inMenu: true,
      preset: { crop: { by: 'face' } },
      shows: ['preset', 'width', 'height', 'background', 'keepRatio', 'maxKb', 'dpi', 'format', 'crop', 'sheet'],
    },
  ],
})
