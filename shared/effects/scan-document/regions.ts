/** Squares that belong together, by number; -1 for none. */
export interface Regions {
  readonly labels: Int32Array
  readonly all: readonly Region[]
}

/** One of them: how many squares it has, and the first and last of its columns and rows. */
export interface Region {
  readonly label: number
  readonly count: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Squares joined to their four neighbours wherever `joins` says so; those that `isPart` leaves out belong to none. */
export function regionsOf(
  columns: number,
  rows: number,
  isPart: (at: number) => boolean,
  joins: (one: number, other: number) => boolean,
): Regions {
  const labels = new Int32Array(columns * rows).fill(-1)
  const all: Region[] = []
  const waiting = new Int32Array(columns * rows)
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] !== -1 || !isPart(start)) continue
    const label = all.length
    let [count, left, top, right, bottom, waits] = [0, columns, rows, 0, 0, 1]
    waiting[0] = start
    labels[start] = label
    while (waits > 0) {
      waits -= 1
      const at = waiting[waits] ?? 0
      const [x, y] = [at % columns, Math.floor(at / columns)]
      count += 1
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      const visit = (next: number): void => {
        if (labels[next] !== -1 || !isPart(next) || !joins(at, next)) return
        labels[next] = label
        waiting[waits++] = next
      }
      if (x > 0) visit(at - 1)
      if (x < columns - 1) visit(at + 1)
      if (y > 0) visit(at - columns)
      if (y < rows - 1) visit(at + columns)
    }
    all.push({ label, count, left, top, right, bottom })
  }
  return { labels, all }
}
