import { slantAngle } from '#engine/document/directions'
import type { Box, Floating } from '#engine/document/document-model'
import { element } from '../xml.ts'
import type { PartContext } from './context.ts'
import { anchoredShape } from './drawing.ts'
import { Flow } from './flow.ts'
import { tableXml } from './table.ts'
import { twips } from '../units.ts'

/** Room around text that another program sets a little wider, in points. */
const ROOM = 6

/** DrawingML's directions of text (ST_TextVerticalType). */
const directionOf = ({ turn, isVertical }: Floating): string =>
  isVertical ? 'eaVert' : turn === 1 ? 'vert' : turn === 3 ? 'vert270' : 'horz'

/** A box with room beyond its text's end. */
function roomyBox({ left, top, right, bottom }: Box, { turn, isVertical }: Floating): Box {
  if (isVertical || turn === 1) return { left, top, right, bottom: bottom + ROOM }
  if (turn === 3) return { left, top: top - ROOM, right, bottom }
  return { left, top, right: right + ROOM, bottom }
}

/** Text that runs another way than its page's as a text box where it stood, as a run. */
export function floatingXml(floating: Floating, context: PartContext): string {
  const { paragraph, turn, slant } = floating
  let text = ''
  const flow = new Flow((xml) => (text += xml), context, tableXml)
  flow.y = twips(paragraph.top)
  flow.block(paragraph, paragraph, { left: paragraph.left, right: paragraph.right + ROOM })
  flow.end()
  const box = slant === undefined ? roomyBox(floating.box, floating) : floating.box
  const rot = slant === undefined ? (turn === 2 ? 10_800_000 : undefined) : slantAngle(slant)
  const size = { cx: Math.round((box.right - box.left) * 12_700), cy: Math.round((box.bottom - box.top) * 12_700) }
  const parts = [
    element('wps:cNvSpPr', { txBox: 1 }),
    element(
      'wps:spPr',
      {},
      element('a:xfrm', { rot }, element('a:off', { x: 0, y: 0 }), element('a:ext', size)),
      element('a:prstGeom', { prst: 'rect' }, element('a:avLst')),
      element('a:noFill'),
      element('a:ln', {}, element('a:noFill')),
    ),
    element('wps:txbx', {}, element('w:txbxContent', {}, text)),
    element(
      'wps:bodyPr',
      { vert: directionOf(floating), wrap: slant === undefined ? 'square' : 'none', lIns: 0, tIns: 0, rIns: 0, bIns: 0 },
      element('a:noAutofit'),
    ),
  ]
  // A watermark and a stamp's words lie where other text is read.
  return anchoredShape(box, parts, context, { name: '文本框', isBehind: slant !== undefined })
}
