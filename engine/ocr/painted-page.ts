import { pageClip } from '../pdf/clip.ts'
import { rectangle } from '../pdf/outline.ts'
import type { PageModel, PlacedImage, Rule } from '../pdf/page-model.ts'
import type { Painted } from '../pdf/painted.ts'

/** A line that crosses this share of its page was drawn to be seen (under a letterhead, over notes); shorter ones may be strokes of letters. */
const LONG = 0.25

const isOn = ({ from, to, at }: Rule, { left, top, right, bottom }: PlacedImage): boolean =>
  from < right && to > left && at > top && at < bottom

/** What is seen on a recognised page beside its text: its pictures and the long lines across it. Those of tables and under letters are told there. */
export function paintedPage({
  width,
  height,
  rules,
  images,
}: Pick<PageModel, 'width' | 'height' | 'rules' | 'images'>): readonly Painted[] {
  const clip = pageClip(width, height)
  const long = rules.filter((rule) => rule.isHorizontal && rule.to - rule.from > LONG * width && !images.some((image) => isOn(rule, image)))
  return [
    ...images.map((image) => ({ kind: 'picture', image, opacity: 1, clip }) as const),
    ...long.map(({ from, to, at, width: thickness, colour }) => {
      const outline = rectangle([from, at - thickness / 2, to, at + thickness / 2])
      return { kind: 'path', outline, isEvenOdd: false, clip, fill: { colour, opacity: 1 } } as const
    }),
  ]
}
