import type { Relations, OfficePackage } from '../package.ts'
import { emu } from '../units.ts'
import type { Box } from '#engine/document/document-model'
import type { Size } from '#shared/resize'

/** What a slide is written with: where its page comes to lie on it, and what its parts relate to. */
export interface SlideSpace {
  readonly office: OfficePackage
  readonly relations: Relations
  /** Numbers for what stands on the slide. */
  readonly nextId: () => number
  /** The slide that a page of the PDF has become, where it has. */
  readonly slideOf: (page: number) => string | undefined
  /** How large the page is on its slide: 1 where all pages have one size. */
  readonly scale: number
  /** A length of the page on the slide, in English Metric Units. */
  readonly length: (points: number) => number
  /** `a:off` and `a:ext` of a part of the page. */
  readonly place: (box: Box) => { readonly off: { x: number; y: number }; readonly ext: { cx: number; cy: number } }
}

/** Puts a page in the middle of a slide, as large as it fits. All slides of a presentation have one size. */
export function placing(page: Size, slide: Size): Pick<SlideSpace, 'scale' | 'length' | 'place'> {
  const scale = Math.min(slide.width / page.width, slide.height / page.height)
  const [dx, dy] = [(slide.width - page.width * scale) / 2, (slide.height - page.height * scale) / 2]
  const length = (points: number): number => emu(points * scale)
  return {
    scale,
    length,
    place: ({ left, top, right, bottom }) => ({
      off: { x: emu(left * scale + dx), y: emu(top * scale + dy) },
      ext: { cx: Math.max(0, length(right - left)), cy: Math.max(0, length(bottom - top)) },
    }),
  }
}
