import type { SlideSpace } from './slide-space.ts'
import { DESCENT, flowOf, lineHeight, paragraphXml, sizeOfRuns, type Flow } from './text-body.ts'
import { element } from '../xml.ts'
import { beforeSlant, slantAngle, type Direction } from '#engine/document/directions'
import type { Box, Paragraph } from '#engine/document/document-model'

/** Room that lines may need beyond what they took on the page, in points: no line may break where it did not. */
const ROOM = 2

/** Where a paragraph's text box stands, in the frame its text runs in. */
function boxOf(paragraph: Paragraph, { left, right, isFlowing }: Flow): Box {
  const { lines, align } = paragraph
  const height = lineHeight(paragraph)
  const [first] = lines
  const top = first.base + DESCENT * sizeOfRuns(first.runs) - height
  if (isFlowing) return { left, top, right, bottom: top + lines.length * height }
  const room =
    align === 'left' || align === 'justify'
      ? { left: 0, right: ROOM }
      : align === 'right'
        ? { left: ROOM, right: 0 }
        : { left: ROOM, right: ROOM }
  return { left: left - room.left, top, right: right + room.right, bottom: top + lines.length * height }
}

/** Where on the page something comes to lie that stands so in the frame of turned text. */
function onPage({ left, top, right, bottom }: Box, turn: Direction['turn'], page: { width: number; height: number }): Box {
  if (turn === 1) return { left: page.width - bottom, top: left, right: page.width - top, bottom: right }
  if (turn === 2) return { left: page.width - right, top: page.height - bottom, right: page.width - left, bottom: page.height - top }
  if (turn === 3) return { left: top, top: page.height - right, right: bottom, bottom: page.height - left }
  return { left, top, right, bottom }
}

/** A shape is placed as it stands before it is turned about its middle. */
function beforeTurn({ left, top, right, bottom }: Box, turn: Direction['turn']): Box {
  if (turn % 2 === 0) return { left, top, right, bottom }
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const [halfWidth, halfHeight] = [(bottom - top) / 2, (right - left) / 2]
  return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight }
}

const QUARTER = 5_400_000

/** A paragraph as a text box of its own (`p:sp`). */
export function textBox(
  paragraph: Paragraph,
  { turn, isVertical, slant }: Direction,
  page: { width: number; height: number },
  space: SlideSpace,
): string {
  const id = space.nextId()
  const flow = flowOf(paragraph)
  const frame = boxOf(paragraph, flow)
  const box = slant === undefined ? onPage(frame, turn, page) : beforeSlant(frame, slant)
  const { off, ext } = space.place(isVertical ? box : beforeTurn(box, turn))
  const rot = slant === undefined ? (isVertical || turn === 0 ? undefined : turn * QUARTER) : slantAngle(slant)
  const insets = { lIns: 0, tIns: 0, rIns: 0, bIns: 0 }
  return element(
    'p:sp',
    {},
    element('p:nvSpPr', {}, element('p:cNvPr', { id, name: `文本框 ${id}` }), element('p:cNvSpPr', { txBox: 1 }), element('p:nvPr')),
    element(
      'p:spPr',
      {},
      element('a:xfrm', { rot }, element('a:off', off), element('a:ext', ext)),
      element('a:prstGeom', { prst: 'rect' }, element('a:avLst')),
      element('a:noFill'),
    ),
    element(
      'p:txBody',
      {},
      element(
        'a:bodyPr',
        { vert: isVertical ? 'eaVert' : 'horz', wrap: flow.isFlowing ? 'square' : 'none', ...insets, rtlCol: 0, anchor: 't' },
        element('a:noAutofit'),
      ),
      element('a:lstStyle'),
      paragraphXml(paragraph, flow, frame.left, space),
    ),
  )
}
