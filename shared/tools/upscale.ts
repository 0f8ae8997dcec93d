import { readableFormats } from '#shared/formats'
import { defineTool } from '#shared/tools/define'
import { choice } from '#shared/tools/field'
import { strength } from '#shared/tools/strength'

/** Makes a picture larger and keeps it sharp, by a model that has seen how small pictures look large. */
export const upscale = defineTool({
  id: 'upscale',
  section: 'effect',
  label: '图片无损放大',
  accepts: readableFormats,
  takes: 'each',
  editor: 'form',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
  options: { scale: choice({ label: '放大', choices: { 2: '2 倍', 3: '3 倍', 4: '4 倍' }, initial: '2' }), strength },
  pages: [{ path: '/effect/iamplify', label: '图片无损放大', inMenu: true }],
})
