import type { SlideSpace } from './slide-space.ts'
import { element } from '../xml.ts'
import type { Box } from '#engine/document/document-model'
import type { StoredPicture } from '#engine/pdf/page-model'

/** A picture in its place (`p:pic`), its file as the PDF holds it. */
export function pictureXml(box: Box, picture: StoredPicture, space: SlideSpace): string {
  const id = space.nextId()
  const embed = space.relations.part('image', space.office.media('ppt/media', picture))
  const { off, ext } = space.place(box)
  return element(
    'p:pic',
    {},
    element(
      'p:nvPicPr',
      {},
      element('p:cNvPr', { id, name: `图片 ${id}` }),
      element('p:cNvPicPr', {}, element('a:picLocks', { noChangeAspect: 1 })),
      element('p:nvPr'),
    ),
    element('p:blipFill', {}, element('a:blip', { 'r:embed': embed }), element('a:stretch', {}, element('a:fillRect'))),
    element(
      'p:spPr',
      {},
      element('a:xfrm', {}, element('a:off', off), element('a:ext', ext)),
      element('a:prstGeom', { prst: 'rect' }, element('a:avLst')),
    ),
  )
}
