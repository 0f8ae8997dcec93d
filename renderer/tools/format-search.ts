import { formatAbouts } from './format-abouts.ts'
import { formatGroups, formats, type FormatGroup, type FormatId } from '#shared/formats'

/** Formats of one family, under its name. */
export interface FoundGroup {
  readonly label: string
  readonly ids: readonly FormatId[]
}

const groups = Object.keys(formatGroups) as FormatGroup[] // Object.keys forgets the key type

/** How well a format answers what was typed: by name or extension from the start, anywhere in them, by its description; 3 is not at all. */
function distance(id: FormatId, typed: string): number {
  const { label, extensions } = formats[id]
  const names = [id, label.toLowerCase(), ...extensions]
  if (names.includes(typed)) return 0
  if (names.some((name) => name.startsWith(typed))) return 1
  return names.some((name) => name.includes(typed)) || formatAbouts[id].toLowerCase().includes(typed) ? 2 : 3
}

/** The formats that answer what was typed (a name, an extension with or without its dot, a word of the description), by family, best first. */
export function findFormats(ids: readonly FormatId[], typed: string): readonly FoundGroup[] {
  const wanted = typed.trim().toLowerCase().replace(/^\./, '')
  const far = (id: FormatId): number => (wanted === '' ? 0 : distance(id, wanted))
  const near = (found: FoundGroup): number => Math.min(...found.ids.map(far))
  return groups
    .map((group) => ({
      label: formatGroups[group],
      ids: ids.filter((id) => formats[id].group === group && far(id) < 3).toSorted((one, other) => far(one) - far(other)),
    }))
    .filter((found) => found.ids.length > 0)
    .toSorted((one, other) => near(one) - near(other))
}
