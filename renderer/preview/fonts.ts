const SERIF = /宋|明|楷|song|ming|kai|times|serif|georgia|garamond|cambria/i
const MONO = /mono|courier|consol/i

/** Names of fonts as CSS takes them, with a kind of letters for where none of them is there. */
export function fontFamily(names: readonly string[]): string {
  const plain = names.map((name) => `"${name.replace(/["\\\n]/g, '')}"`)
  const kind = names.some((name) => MONO.test(name)) ? 'monospace' : names.some((name) => SERIF.test(name)) ? 'serif' : 'sans-serif'
  return [...plain, kind].join(', ')
}
