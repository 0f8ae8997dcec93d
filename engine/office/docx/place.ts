import { twips } from '../units.ts'
import type { Paragraph } from '#engine/document/document-model'

/** Where a paragraph stands between what is above and below it, in twentieths of a point. */
export interface Place {
  readonly before: number
  /** From baseline to baseline, exactly. */
  readonly line: number
}

/** The share of an exact line height that Word lays above the baseline. */
export const ABOVE = 0.8
/** Lines are set no closer than this part of what they had, where something above takes their room. */
const CLOSEST = 0.85
/** No line is lower, in twentieths of a point. */
const LOWEST = 20

/** Where a paragraph goes under what ends at `y`, and where it ends, in twentieths of a point. */
export function placed({ lines, pitch }: Paragraph, y: number): Place & { readonly end: number } {
  const [first] = lines
  const last = lines.at(-1) ?? first
  const gaps = lines.length - 1
  const own = twips(gaps > 0 ? (last.base - first.base) / gaps : pitch)
  const room = Math.floor((last.base * 20 - y) / (gaps + ABOVE))
  const line = Math.max(Math.round(CLOSEST * own), Math.min(own, room), LOWEST)
  const before = Math.max(0, Math.round(first.base * 20 - ABOVE * line) - y)
  return { before, line, end: y + before + line * lines.length }
}
