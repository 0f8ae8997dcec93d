import type { FormatId } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { number } from '#shared/tools/field'

/** The formats whose files can say a density. */
export const densityFormats = ['jpeg', 'png', 'webp', 'tiff', 'bmp'] as const satisfies readonly FormatId[]
/** A format whose files can say a density. */
export type DensityId = (typeof densityFormats)[number]

/** The density a picture is printed at, changed without touching its pixels. */
export const setDpi = defineTool({
  id: 'set-dpi',
  section: 'compress',
  label: '修改DPI',
  accepts: densityFormats,
  takes: 'each',
  editor: 'form',
  cost: 'image',
  runsOn: ['cloud', 'desktop'],
  options: {
    dpi: number({ label: '分辨率', unit: 'DPI', min: 1, max: 2400, initial: 300, presets: [72, 96, 150, 200, 300, 600] }),
  },
  pages: [{ path: '/dpi', label: '修改图片DPI', inMenu: true }],
})
