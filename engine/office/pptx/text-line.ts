import type { SlideSpace } from './slide-space.ts'
import { lookXml, shownSize } from './text-look.ts'
import { faceOf } from '../docx/measured-line.ts'
import { autoSpace, textWidth } from '../text-width.ts'
import { element, escapedText } from '../xml.ts'
import type { Line, Paragraph, Run } from '#engine/document/document-model'

/** How far letters may be moved together and apart, in sizes. */
const [CLOSEST, WIDEST] = [-0.3, 1.5]

/** What is added behind letters, within what can still be read. */
export const clamped = (spacing: number, size: number): number => Math.max(CLOSEST * size, Math.min(WIDEST * size, spacing))

/** What is added behind each letter, so that a run is as wide as it was on the page; `less` is taken off where there is no room for that. */
function spacingOf({ text, style, width }: Run, less: number): number {
  const count = [...text].length
  if (count === 0 || width <= 0 || style.script !== undefined || text.includes('\t')) return 0
  const natural = textWidth(text, faceOf(style), shownSize(style))
  return clamped((width - natural) / count - less, style.size)
}

const runXml = (run: Run, space: SlideSpace, less: number, text = run.text): string =>
  text === ''
    ? ''
    : element(
        'a:r',
        {},
        lookXml('a:rPr', { style: run.style, spacing: spacingOf(run, less), target: run.target }, space),
        element('a:t', {}, escapedText(text)),
      )

/** Runs that follow one another and look alike are set alike, too: then words stay whole where people edit them. */
function joinedRuns(runs: readonly Run[]): Run[] {
  const kept: Run[] = []
  for (const run of runs) {
    const last = kept.at(-1)
    if (last && last.style === run.style && last.target === run.target && !run.text.includes('\t') && !last.text.includes('\t'))
      kept[kept.length - 1] = { ...last, text: last.text + run.text, width: last.width + run.width }
    else kept.push(run)
  }
  return kept
}

const LEADER_WIDTHS = { '.': 0.25, '-': 0.33 } as const

/** A slide's tabs have no dots: they stand there as characters. */
const leaderText = (leader: '.' | '-', room: number, size: number): string =>
  leader.repeat(Math.max(0, Math.floor(room / (LEADER_WIDTHS[leader] * size)) - 2))

/** A gap no wider than this, in sizes, is a space: text that takes a little more room would run past a tab. */
const SMALL_GAP = 1.5

const isTab = ({ text, width, style }: Run): boolean => text.includes('\t') && width > SMALL_GAP * style.size

/** Where a line's tabs lead to on the page: a box has them at the places themselves, whatever side the PDF's author aligned them by. */
export function tabPlaces({ left, runs }: Line): number[] {
  let place = left
  return runs.flatMap((run) => {
    place += run.width
    return isTab(run) ? [place] : []
  })
}

/** Room at a line's end that rounding may need, in points. */
const SLACK = 1

/** How much closer a line's letters stand so that it has room, by programs too that leave gaps between scripts. */
function missingRoom({ left, right, runs }: Line, room: number): number {
  const gaps = runs.reduce((sum, { text, style }, at) => sum + autoSpace(runs[at - 1]?.text ?? '', text, style.size), 0)
  const count = runs.reduce((sum, { text }) => sum + [...text].length, 0)
  return Math.max(0, right - left + gaps + SLACK - room) / Math.max(1, count)
}

/** A line's runs, its tabs with what fills them, in no more than `room`. */
export function lineXml(line: Line, { stops }: Paragraph, space: SlideSpace, room: number): string {
  const less = missingRoom(line, room)
  let [place, tab] = [line.left, 0]
  return joinedRuns(line.runs)
    .map((run) => {
      const from = place
      place += run.width
      if (!isTab(run)) return runXml({ ...run, text: run.text.replaceAll('\t', ' ') }, space, less)
      const leader = stops[tab]?.leader
      tab += 1
      const dots = leader === undefined ? '' : leaderText(leader, place - from, run.style.size)
      return runXml({ ...run, width: 0 }, space, 0, run.text.replace('\t', `${dots}\t`))
    })
    .join('')
}
