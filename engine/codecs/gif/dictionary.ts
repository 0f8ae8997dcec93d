const MOST_CODES = 4096

/** The strings of an LZW run as a tree: each code's first longer string, the next longer one of the same start, its start, its last index. */
export interface Dictionary {
  readonly child: Int16Array
  readonly sibling: Int16Array
  readonly parent: Int16Array
  readonly last: Uint8Array
  /** Bits of the next code. */
  width: number
  readonly isFull: boolean
  /** Forgets all strings but those of one index. */
  clear(): void
  /** A string just written becomes one longer. Its last index is only known by the string after it; until then it is the string's own first. */
  grow(code: number, first: number): void
  /** Tells the first index of the string that followed. */
  settle(first: number): void
}

/** A dictionary over indices of so many bits. */
export function dictionaryOf(codeBits: number): Dictionary {
  const firstFree = (1 << codeBits) + 2
  let next = firstFree
  let open = -1
  const dictionary = {
    child: new Int16Array(MOST_CODES),
    sibling: new Int16Array(MOST_CODES),
    parent: new Int16Array(MOST_CODES),
    last: new Uint8Array(MOST_CODES).map((_, code) => code & 255),
    width: codeBits + 1,
    get isFull() {
      return next === MOST_CODES
    },
    clear() {
      dictionary.child.fill(-1)
      dictionary.width = codeBits + 1
      next = firstFree
      open = -1
    },
    grow(code: number, first: number) {
      open = -1
      if (next === MOST_CODES) return
      const { child, sibling, parent, last } = dictionary
      open = next++
      parent[open] = code
      last[open] = first
      child[open] = -1
      sibling[open] = child[code] ?? -1
      child[code] = open
      if (open === 1 << dictionary.width) dictionary.width++
    },
    settle(first: number) {
      if (open < 0) return
      const { child, sibling, parent, last } = dictionary
      last[open] = first
      const code = parent[open] ?? 0
      let twin = sibling[open] ?? -1
      while (twin >= 0 && last[twin] !== first) twin = sibling[twin] ?? -1
      // The reader counts the string twice; searching it once is enough.
      if (twin >= 0) child[code] = sibling[open] ?? -1
      open = -1
    },
  }
  return dictionary
}
