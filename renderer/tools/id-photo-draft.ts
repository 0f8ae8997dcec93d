import type { Options } from '../state/settings.ts'
import { centredFrame, enlargement, headFrame, targetSides, type Frame, type HeadMarks, type Sides } from '#shared/id-photo-crop'
import { idPhotoOf, usualHead, type IdPhoto } from '#shared/id-photos'
import { parseOptions, type OptionsOf } from '#shared/tools/index'
import { naming } from '#shared/tools/file-name'
import { idPhoto } from '#shared/tools/id-photo'
import { initialOf, initialOfCase } from '#shared/tools/field'

/** A head as it is being marked: lines in percent of the picture, and how far it leans (degrees). */
export interface HeadDraft extends HeadMarks {
  readonly tilt: number
}

/** What the tool would make of a picture. */
export interface PlannedPhoto {
  readonly preset: IdPhoto | undefined
  readonly frame: Frame
  readonly target: Sides
  readonly isHeadWhole: boolean
  /** How much the frame is enlarged. */
  readonly times: number
}

/** A line that can be moved. */
export type HeadLine = 'crown' | 'eyes' | 'chin' | 'centre'

const view = idPhoto.options.crop.view
const start = view.kind === 'variant' ? initialOfCase(view.cases, 'head') : {}

/** The options of a form where they pass, whatever its results shall be called; else what a page starts with. */
function checked(options: Options): OptionsOf<'id-photo'> {
  try {
    return parseOptions('id-photo', { ...options, ...initialOf(naming) })
  } catch {
    return parseOptions('id-photo', {})
  }
}

/** How a photo is cut: in its middle, by the face that the tool finds, or by lines a person has moved. */
export type PhotoCrop = 'auto' | 'face' | HeadDraft

/** How options cut a photo. */
export function cropOf(options: Options): PhotoCrop {
  const { crop } = checked(options)
  if (crop.by === 'face') return 'face'
  if (crop.by !== 'head') return 'auto'
  const { crown, eyes, chin, centre, tilt } = crop
  return { crown, eyes, chin, centre, tilt }
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** The colour a photo's background is to get; undefined where it stays. */
export function groundOf(options: Options): string | undefined {
  const { background } = checked(options)
  return background.by === 'colour' ? background.colour : undefined
}

/** Where the lines lie before they are moved or found. */
export const firstMarks: HeadDraft = {
  crown: numberOf(start['crown']),
  eyes: numberOf(start['eyes']),
  chin: numberOf(start['chin']),
  centre: numberOf(start['centre']),
  tilt: 0,
}

/** The options that cut a photo so. */
export const cropOptionsOf = (crop: PhotoCrop): Options => ({ crop: typeof crop === 'string' ? { by: crop } : { by: 'head', ...crop } })

/** The least between two lines, in percent of the height. */
const GAP = 0.5

const tenth = (value: number): number => Math.round(value * 10) / 10
const clamp = (value: number, least: number, most: number): number => tenth(Math.min(most, Math.max(least, value)))

/**
 * Lines as found by the tool, such that they can be saved: it may have found a crown above the picture, or lines of a small face next to each other.
 */
export function foundMarks(head: HeadDraft | undefined): HeadDraft | undefined {
  if (!head) return undefined
  const eyes = clamp(head.eyes, GAP, 100 - GAP)
  return { ...head, eyes, crown: clamp(head.crown, 0, eyes - GAP), chin: clamp(head.chin, eyes + GAP, 100) }
}

/** How far a line may be moved: crown, eyes and chin keep their order. */
export function rangeOf({ crown, eyes, chin }: HeadMarks, line: HeadLine): readonly [least: number, most: number] {
  switch (line) {
    case 'crown':
      return [0, tenth(eyes - GAP)]
    case 'eyes':
      return [tenth(crown + GAP), tenth(chin - GAP)]
    case 'chin':
      return [tenth(eyes + GAP), 100]
    case 'centre':
      return [0, 100]
  }
}

/** The lines after one of them was moved, as far as it may go. */
export const moved = (marks: HeadDraft, line: HeadLine, to: number): HeadDraft => ({ ...marks, [line]: clamp(to, ...rangeOf(marks, line)) })

/** What the tool makes of a picture under options, with the lines as they are: by the same geometry. */
export function planned(source: Sides, options: Options, marks: HeadDraft | undefined): PlannedPhoto {
  const { preset: presetId, width, height, keepRatio } = checked({ ...options, crop: { by: 'auto' } })
  const preset = idPhotoOf(presetId)
  const asked = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  const target = targetSides(asked, preset && { width: preset.widthPx, height: preset.heightPx }, source)
  const ratio = target.width / target.height
  const whole = { left: 0, top: 0, width: source.width, height: source.height }
  const { frame, isHeadWhole } = marks
    ? headFrame(source, marks, ratio, preset?.head ?? usualHead)
    : { frame: keepRatio ? centredFrame(whole, ratio) : whole, isHeadWhole: true }
  return { preset, frame, target, isHeadWhole, times: enlargement(frame, target) }
}
