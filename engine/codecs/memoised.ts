/** The same asynchronous function, asked once for each number. */
export function memoised<T>(compute: (key: number) => Promise<T>): (key: number) => Promise<T> {
  const known = new Map<number, Promise<T>>()
  return (key) => {
    const found = known.get(key) ?? compute(key)
    known.set(key, found)
    return found
  }
}
