import { readableFormats } from '#shared/formats'
import { number, variant, type ReadCase } from '#shared/tools/field'

/** A strength in one word, as `auto` or a whole number of percent. */
const read: ReadCase = (word) => (/^\d{1,3}$/.test(word) ? { by: 'manual', amount: Number(word) } : undefined)

/** How strongly an effect works: as the picture itself asks for, or by hand from 0 (nothing) over 50 (about what `auto` does) to 100. */
export const strength = variant({
  label: '强度',
  initial: 'auto',
  read,
  isSlid: true,
  cases: {
    auto: { label: '自动', fields: {} },
    manual: { label: '手动', fields: { amount: number({ label: '强度', unit: '%', min: 0, max: 100, initial: 50 }) } },
  },
})

/** What all tools have in common that are an `Effect` of each picture. */
export const pictureEffect = {
  section: 'effect',
  accepts: readableFormats,
  takes: 'each',
  editor: 'effect',
  cost: 'ai',
  runsOn: ['cloud', 'desktop'],
} as const
