import type { Options } from '../state/settings.ts'
import type { OptionsOf } from '#shared/tools/index'
import { parseOptions } from '#shared/tools/index'
import type { Size } from '#shared/resize'

/** What a picture's width becomes, in percent; `auto` leaves it to what the picture shows. */
export interface WidthDraft {
  readonly width: number
  readonly isAuto: boolean
  readonly method: OptionsOf<'unstretch'>['method']
}

export const LEAST = 25
export const MOST = 400

/** A width the tool takes: a tenth of a percent, within its range. */
export const allowed = (width: number): number => Math.round(Math.min(MOST, Math.max(LEAST, width)) * 10) / 10

/** The draft that options as a form holds them describe; an untouched one where they don't pass. */
export function draftOf(options: Options): WidthDraft {
  try {
    const { ratio, method } = parseOptions('unstretch', options)
    return ratio.by === 'manual' ? { width: ratio.width, isAuto: false, method } : { width: 100, isAuto: true, method }
  } catch {
    return { width: 100, isAuto: true, method: 'resize' }
  }
}

/** The options a draft says. */
export const optionsOf = ({ width, isAuto, method }: WidthDraft): Options => ({
  ratio: isAuto ? { by: 'auto' } : { by: 'manual', width },
  method,
})

/** The draft with another width. */
export const widened = (draft: WidthDraft, width: number): WidthDraft => ({ ...draft, width: allowed(width), isAuto: false })

/** The draft after its side was dragged by so many pixels of the screen, the picture's middle staying where it is. */
export const dragged = (draft: WidthDraft, pixels: number, shownWidth: number): WidthDraft =>
  widened(draft, draft.width * (1 + (2 * pixels) / Math.max(1, shownWidth)))

/** The width, in percent, that gives a picture a ratio. */
export const widthFor = (ratio: number, { width, height }: Size): number => (100 * ratio * height) / width

/** Whether a draft gives a picture a ratio, as far as its tenths of a percent can. */
export const hasRatio = ({ width, isAuto }: WidthDraft, ratio: number, source: Size): boolean =>
  !isAuto && Math.abs(width - widthFor(ratio, source)) < 0.1
