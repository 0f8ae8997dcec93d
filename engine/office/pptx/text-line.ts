import type { SlideSpace } from './slide-space.ts'
import { lookXml } from './text-look.ts'
import { faceOf } from '../docx/measured-line.ts'
import { textWidth } from '../text-width.ts'
import { element, escapedText } from '../xml.ts'
import type { Line, Paragraph, Run } from '#engine/document/document-model'

/** How far letters may be moved together and apart, in sizes. */
const [CLOSEST, WIDEST] = [-0.3, 1.5]

/** What is added behind letters, within what can still be read. */
export const clamped = (spacing: number, size: number): number => Math.max(CLOSEST * size, Math.min(WIDEST * size, spacing))

/** What is added behind each letter, so that a run is as wide as it was on the page. */
function spacingOf({ text, style, width }: Run): number {
  const count = [...text].length
  if (count === 0 || width <= 0 || style.script !== undefined || text.includes('\t')) return 0
  const natural = textWidth(text, faceOf(style), style.size)
  return clamped((width - natural) / count, style.size)
}

const runXml = (run: Run, space: SlideSpace, text = run.text): string =>
  text === ''
    ? ''
    : element('a:r', {}, lookXml('a:rPr', run.style, spacingOf(run), run.target, space), element('a:t', {}, escapedText(text)))

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

const LEADER_WIDTHS = { '.': 0.25, '-': 0.33, _: 0.5 } as const

/** A slide's tabs have no dots: they stand there as characters. */
const leaderText = (leader: '.' | '-' | '_', room: number, size: number): string =>
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

/** A line's runs, its tabs with what fills them. */
export function lineXml(line: Line, { stops }: Paragraph, space: SlideSpace): string {
  let [place, tab] = [line.left, 0]
  return joinedRuns(line.runs)
    .map((run) => {
      const from = place
      place += run.width
      if (!isTab(run)) return runXml({ ...run, text: run.text.replaceAll('\t', ' ') }, space)
      const leader = stops[tab]?.leader
      tab += 1
      const dots = leader === undefined ? '' : leaderText(leader, place - from, run.style.size)
      return runXml({ ...run, width: 0 }, space, run.text.replace('\t', `${dots}\t`))
    })
    .join('')
}
