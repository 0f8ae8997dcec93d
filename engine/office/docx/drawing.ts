import type { Box, Picture } from '#engine/document/document-model'
import { emu } from '../units.ts'
import { element } from '../xml.ts'
import type { PartContext } from './context.ts'

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006'

const sizeOf = ({ left, top, right, bottom }: Box) => ({ cx: Math.max(1, emu(right - left)), cy: Math.max(1, emu(bottom - top)) })

function pictureXml(picture: Picture, id: number, { office, relations }: PartContext): string {
  const path = office.media('word/media', picture.picture)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return element(
    'a:graphic',
    { 'xmlns:a': `${DRAWING}/main` },
    element(
      'a:graphicData',
      { uri: `${DRAWING}/picture` },
      element(
        'pic:pic',
        { 'xmlns:pic': `${DRAWING}/picture` },
        element('pic:nvPicPr', {}, element('pic:cNvPr', { id, name }), element('pic:cNvPicPr')),
        element(
          'pic:blipFill',
          {},
          element('a:blip', { 'r:embed': relations.part('image', path) }),
          element('a:stretch', {}, element('a:fillRect')),
        ),
        element(
          'pic:spPr',
          {},
          element('a:xfrm', {}, element('a:off', { x: 0, y: 0 }), element('a:ext', sizeOf(picture))),
          element('a:prstGeom', { prst: 'rect' }, element('a:avLst')),
        ),
      ),
    ),
  )
}

const position = (tag: string, offset: number): string =>
  element(tag, { relativeFrom: 'page' }, element('wp:posOffset', {}, String(emu(offset))))

/** A drawing where it stands on its page, whatever flows around it: what a run holds. */
function anchored(box: Box, graphic: string, id: number, name: string, isBehind: boolean): string {
  const anchor = element(
    'wp:anchor',
    {
      distT: 0,
      distB: 0,
      distL: 0,
      distR: 0,
      simplePos: 0,
      relativeHeight: id,
      behindDoc: isBehind ? 1 : 0,
      locked: 0,
      layoutInCell: 1,
      allowOverlap: 1,
    },
    element('wp:simplePos', { x: 0, y: 0 }),
    position('wp:positionH', box.left),
    position('wp:positionV', box.top),
    element('wp:extent', sizeOf(box)),
    element('wp:effectExtent', { l: 0, t: 0, r: 0, b: 0 }),
    element('wp:wrapNone'),
    element('wp:docPr', { id, name }),
    element('wp:cNvGraphicFramePr'),
    graphic,
  )
  return element('w:drawing', {}, anchor)
}

/** A picture that stands where it stands, as a run. */
export function anchoredPicture(picture: Picture, context: PartContext): string {
  const id = context.nextId()
  return element('w:r', {}, anchored(picture, pictureXml(picture, id, context), id, `图片 ${id}`, true))
}

/** A picture in a line of text, as a run. */
export function inlinePicture(picture: Picture, context: PartContext): string {
  const id = context.nextId()
  const inline = element(
    'wp:inline',
    { distT: 0, distB: 0, distL: 0, distR: 0 },
    element('wp:extent', sizeOf(picture)),
    element('wp:effectExtent', { l: 0, t: 0, r: 0, b: 0 }),
    element('wp:docPr', { id, name: `图片 ${id}` }),
    element('wp:cNvGraphicFramePr'),
    pictureXml(picture, id, context),
  )
  return element('w:r', {}, element('w:rPr', {}, element('w:sz', { 'w:val': 2 })), element('w:drawing', {}, inline))
}

const SHAPE = 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape'

/** A shape or a text box (`wps:wsp` of these parts) where it stands on its page, as a run. */
export function anchoredShape(
  box: Box,
  parts: readonly string[],
  { nextId }: PartContext,
  { name, isBehind }: { readonly name: string; readonly isBehind: boolean },
): string {
  const id = nextId()
  const graphic = element(
    'a:graphic',
    { 'xmlns:a': `${DRAWING}/main` },
    element('a:graphicData', { uri: SHAPE }, element('wps:wsp', {}, ...parts)),
  )
  const drawing = anchored(box, graphic, id, `${name} ${id}`, isBehind)
  return element('w:r', {}, element('mc:AlternateContent', {}, element('mc:Choice', { Requires: 'wps' }, drawing)))
}
