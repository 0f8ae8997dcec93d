/** Excel's own limit, in UTF-16 units. */
const LONGEST = 31
const FORBIDDEN = /[[\]:*?/\\\p{Cc}\p{Cs}\p{Bidi_Control}\ufffe\uffff]+/gu

const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/u, '')

/** A name that Excel takes: of at most 31 characters, none of `[]:*?/\`, no apostrophe at its ends, and not the one it keeps for itself. */
function cleaned(name: string): string {
  const plain = name.replace(FORBIDDEN, ' ').replace(/\s+/g, ' ')
  const trimmed = cut(plain.trim(), LONGEST).replace(/^['\s]+|['\s]+$/g, '')
  return trimmed === '' || trimmed.toLowerCase() === 'history' ? `表${trimmed}` : trimmed
}

/** Names for sheets, each of them once, as Excel compares them: upper and lower case are the same. */
export function sheetNames(wanted: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return wanted.map((name) => {
    const base = cleaned(name)
    let free = base
    for (let count = 2; taken.has(free.toLowerCase()); count++) {
      const end = `(${count})`
      free = cut(base, LONGEST - end.length).trimEnd() + end
    }
    taken.add(free.toLowerCase())
    return free
  })
}
