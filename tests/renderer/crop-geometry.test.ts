import { describe, expect, test } from 'vitest'
import { dragged, type Bounds, type Box, type Handle } from '#renderer/ui/crop-geometry'

const handles: readonly Handle[] = ['n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw', 'move']
const picture = { width: 400, height: 300 }
const free: Bounds = { picture, leastSide: 10 }

/** Numbers that look random and are the same in every run (Lehmer's generator). */
function* numbers(): Generator<number, never> {
  for (let seed = 42; ; seed = (seed * 48_271) % 2_147_483_647) yield seed / 2_147_483_647
}

/** The largest box of a ratio in the picture's middle; all of it without one. */
function largestBox(ratio: number | undefined): Box {
  const width = ratio === undefined ? picture.width : Math.min(picture.width, picture.height * ratio)
  const height = ratio === undefined ? picture.height : width / ratio
  return { left: (picture.width - width) / 2, top: (picture.height - height) / 2, width, height }
}

describe('a crop box', () => {
  test('follows its corner and keeps the opposite one', () => {
    const box = { left: 100, top: 100, width: 100, height: 80 }
    expect(dragged(box, 'se', 20, 10, free)).toEqual({ left: 100, top: 100, width: 120, height: 90 })
    expect(dragged(box, 'nw', 20, 10, free)).toEqual({ left: 120, top: 110, width: 80, height: 70 })
    expect(dragged(box, 'e', 20, 999, free)).toEqual({ left: 100, top: 100, width: 120, height: 80 })
    expect(dragged(box, 'move', -500, 500, free)).toEqual({ left: 0, top: 220, width: 100, height: 80 })
  })

  test('keeps its ratio about the fixed corner, or about the middle of a fixed side', () => {
    const box = { left: 100, top: 100, width: 90, height: 60 }
    const bounds = { ...free, ratio: 1.5 }
    expect(dragged(box, 'se', 30, 0, bounds)).toEqual({ left: 100, top: 100, width: 120, height: 80 })
    expect(dragged(box, 'nw', 0, -20, bounds)).toEqual({ left: 70, top: 80, width: 120, height: 80 })
    expect(dragged(box, 's', 0, 20, bounds)).toEqual({ left: 85, top: 100, width: 120, height: 80 })
  })

  test('never leaves the picture, never vanishes and never loses its ratio, whatever is pulled', () => {
    const random = numbers()
    const next = (): number => random.next().value
    for (let round = 0; round < 2000; round++) {
      const ratio = round % 3 === 0 ? undefined : 0.3 + 3 * next()
      const bounds = { ...free, ratio }
      let box: Box = largestBox(ratio)
      for (let step = 0; step < 4; step++) {
        const handle = handles[Math.floor(next() * handles.length)] ?? 'move'
        box = dragged(box, handle, (next() - 0.5) * 900, (next() - 0.5) * 700, bounds)
        expect(Math.min(box.left, box.top)).toBeGreaterThan(-1e-6)
        expect(box.left + box.width).toBeLessThan(400 + 1e-6)
        expect(box.top + box.height).toBeLessThan(300 + 1e-6)
        expect(Math.min(box.width, box.height)).toBeGreaterThan(9.9)
        if (ratio !== undefined) expect(box.width / box.height).toBeCloseTo(ratio, 6)
      }
    }
  })
})
