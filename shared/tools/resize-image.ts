import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice, colour, flag, optionalNumber } from '#shared/tools/field'

const side = { unit: 'px', min: 1, max: 30_000 } as const

/** Another size for a picture, in its own format: by sides, by percent or by its longer side; then, if asked, within a byte budget. */
export const resizeImage = defineTool({
  id: 'resize-image',
  section: 'edit',
  label: '修改尺寸',
  accepts: readableFormats,
  takes: 'each',
  editor: 'form',
  cost: 'image',
  runsOn: ['cloud', 'desktop'],
  options: {
    width: optionalNumber({ label: '宽度', ...side }),
    height: optionalNumber({ label: '高度', ...side }),
    percent: optionalNumber({ label: '缩放到原尺寸的', unit: '%', min: 1, max: 1000, step: 0.1, presets: [25, 50, 75, 200] }),
    longEdge: optionalNumber({ label: '长边', ...side, presets: [800, 1080, 1920] }),
    keepRatio: flag({ label: '保持宽高比', initial: true }),
    fit: choice({
      label: '宽高比不同时',
      choices: { inside: '完整放入，不裁剪', cover: '填满，裁掉多余部分', pad: '完整放入，四周补边', stretch: '拉伸变形' },
      initial: 'inside',
    }),
    background: colour({ label: '补边颜色', initial: '#ffffff', canBeTransparent: true, presets: ['#ffffff', '#000000'] }),
    enlarge: flag({ label: '允许放大', initial: false }),
    targetKb: optionalNumber({ label: '文件不超过', unit: 'KB', min: 1, max: 204_800, step: 0.1, presets: [50, 100, 200, 500] }),
    quality: optionalNumber({ label: '画质', unit: '%', min: 1, max: 100 }),
  },
  matters: (key, { fit }) => key !== 'background' || fit === 'pad',
  ways: [['width', 'height'], ['percent'], ['longEdge']],
  pages: [
    {
      path: '/px',
      section: 'compress',
      label: '修改宽高像素',
      inMenu: true,
      preset: { width: 800 },
      shows: ['width', 'height', 'keepRatio', 'enlarge', 'targetKb', 'quality'],
    },
    {
      path: '/wiheight',
      section: 'compress',
      label: '修改分辨率',
      inMenu: true,
      preset: { width: 1920, height: 1080 },
      shows: ['width', 'height', 'fit', 'background', 'enlarge', 'targetKb'],
      picks: [
        { label: '4K 3840×2160', values: { width: 3840, height: 2160 } },
        { label: '2K 2560×1440', values: { width: 2560, height: 1440 } },
        { label: '1080p 1920×1080', values: { width: 1920, height: 1080 } },
        { label: '720p 1280×720', values: { width: 1280, height: 720 } },
        // Sheets of photo paper at 300 dots an inch: 3.5×5, 4×6, 5×7, 6×8 and 8×10 inches; A4 is 210×297 mm.
        { label: '5寸照片 1500×1050', values: { width: 1500, height: 1050 } },
        { label: '6寸照片 1800×1200', values: { width: 1800, height: 1200 } },
        { label: '7寸照片 2100×1500', values: { width: 2100, height: 1500 } },
        { label: '8寸照片 2400×1800', values: { width: 2400, height: 1800 } },
        { label: '10寸照片 3000×2400', values: { width: 3000, height: 2400 } },
        { label: 'A4 横向 3508×2480', values: { width: 3508, height: 2480 } },
        { label: 'A4 纵向 2480×3508', values: { width: 2480, height: 3508 } },
      ],
    },
    {
      path: '/edit/size',
      label: '修改图片尺寸',
      inMenu: true,
      preset: { percent: 50 },
      shows: ['percent', 'longEdge', 'width', 'height', 'keepRatio', 'enlarge'],
    },
    {
      path: '/edit/px',
      label: '修改宽高像素',
      inMenu: true,
      preset: { width: 800, fit: 'cover', enlarge: true },
      shows: ['width', 'height', 'fit', 'background', 'enlarge'],
    },
  ],
})
