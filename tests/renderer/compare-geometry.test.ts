import { describe, expect, test } from 'vitest'
import {
  centre,
  changeText,
  isSameShape,
  layOut,
  panAround,
  panBy,
  panForKey,
  splitAt,
  splitForKey,
  wheelStep,
  zoomAfter,
} from '#renderer/ui/compare-geometry'

const photo = { width: 4000, height: 3000 }
const room = { width: 1000, height: 600 }

describe('a picture in its room', () => {
  test('fits whole, in the middle, with nothing to pan', () => {
    const view = layOut(photo, room, 'fit', { x: 500, y: 500 }, 1)
    expect(view.frame).toEqual({ width: 800, height: 600 })
    expect(view.frameCorner).toEqual({ x: 100, y: 0 })
    expect([view.canPan, view.pan.x, view.pan.y].map(Number)).toEqual([0, 0, 0])
  })

  test('is not enlarged to fit', () => {
    expect(layOut({ width: 64, height: 64 }, room, 'fit', centre, 1).shown).toEqual({ width: 64, height: 64 })
  })

  test.each([
    [1, 1, 4000],
    [2, 1, 8000],
    [1, 2, 2000],
    [2, 2, 4000],
    [1, 1.25, 3200],
  ] as const)('at zoom %d on a screen of ratio %d is %d px wide', (zoom, ratio, widthPx) => {
    expect(layOut(photo, room, zoom, centre, ratio).shown.width).toBe(widthPx)
  })

  test('never pans beyond its edges', () => {
    const view = layOut(photo, room, 1, { x: 99_999, y: -99_999 }, 1)
    expect(view.corner).toEqual({ x: 0, y: -2400 })
    expect(view.frame).toEqual(room)
  })

  test.each([1, 1.25, 1.5, 2, 3])('lies on whole pixels of a screen of ratio %d', (ratio) => {
    const odd = layOut({ width: 333, height: 777 }, { width: 1001, height: 601 }, 1, { x: 0, y: 0.3 }, ratio)
    for (const lengthPx of [odd.corner.x, odd.corner.y, odd.frameCorner.x, odd.frameCorner.y]) {
      expect(lengthPx * ratio).toBeCloseTo(Math.round(lengthPx * ratio), 9)
    }
  })
})

describe('panning', () => {
  test('moves the picture by as many px as the pointer, at any zoom', () => {
    for (const zoom of [1, 2] as const) {
      const view = layOut(photo, room, zoom, { x: 10, y: -20 }, 1)
      const moved = layOut(photo, room, zoom, panBy(view, { x: 30, y: 7 }), 1)
      expect([moved.pan.x - view.pan.x, moved.pan.y - view.pan.y]).toEqual([30, 7])
    }
  })

  test('keeps the point under the pointer when zooming by wheel', () => {
    const pointer = { x: 120, y: -80 }
    const under = (view: ReturnType<typeof layOut>) => ({
      x: (pointer.x - view.pan.x) / view.scale,
      y: (pointer.y - view.pan.y) / view.scale,
    })
    const before = layOut(photo, room, 1, { x: 40, y: 25 }, 2)
    const after = layOut(photo, room, 2, panAround(pointer, before, 2, 2), 2)
    expect(under(after)).toEqual(under(before))
  })

  test('by keys shows what lies in the direction of the arrow', () => {
    expect(panForKey('ArrowRight', false)).toEqual({ x: -48, y: 0 })
    expect(panForKey('ArrowUp', true)).toEqual({ x: 0, y: 240 })
    expect(panForKey('Enter', false)).toBeUndefined()
  })
})

describe('the split', () => {
  test.each([
    [-20, 0],
    [0, 0],
    [200, 25],
    [900, 100],
  ])('at %d px of 800 stands at %d %%', (offsetPx, percent) => {
    expect(splitAt(offsetPx, 800)).toBe(percent)
  })

  test.each([
    ['ArrowLeft', false, 49.6, 49],
    ['ArrowRight', false, 50, 51],
    ['ArrowRight', true, 50, 60],
    ['ArrowLeft', true, 5, 0],
    ['ArrowUp', true, 95, 100],
    ['ArrowDown', false, 0, 0],
    ['Home', false, 70, 0],
    ['End', false, 70, 100],
    ['Tab', false, 70, undefined],
  ])('after %s (Shift %s) at %d is %s', (key, isShifted, from, to) => {
    expect(splitForKey(key, isShifted, from)).toBe(to)
  })
})

describe('zooming', () => {
  test('goes 适应 → 100% → 200% and stays at the ends', () => {
    expect([zoomAfter('fit', 1), zoomAfter(1, 1), zoomAfter(2, 1)]).toEqual([1, 2, 2])
    expect([zoomAfter(2, -1), zoomAfter(1, -1), zoomAfter('fit', -1)]).toEqual([1, 'fit', 'fit'])
  })

  test('takes one step a wheel notch, and one for many small moves of a pinch', () => {
    expect(wheelStep(0, -100)).toEqual({ steps: 1, leftPx: 0 })
    expect(wheelStep(0, 120)).toEqual({ steps: -1, leftPx: 0 })
    let leftPx = 0
    const taken = Array.from({ length: 10 }, () => {
      const step = wheelStep(leftPx, -5)
      leftPx = step.leftPx
      return step.steps
    })
    expect(taken.filter((steps) => steps === 1)).toHaveLength(1)
  })

  test('forgets what was left when the pinch turns back', () => {
    expect(wheelStep(-35, 10)).toEqual({ steps: 0, leftPx: 10 })
  })
})

test('a scaled result has its source’s shape, a cropped or turned one has not', () => {
  expect(isSameShape({ width: 333, height: 250 }, photo)).toBe(true)
  expect(isSameShape({ width: 3000, height: 3000 }, photo)).toBe(false)
  expect(isSameShape({ width: 3000, height: 4000 }, photo)).toBe(false)
})

test.each([
  [1000, 110, '−89%'],
  [1000, 1000, '大小不变'],
  [1000, 1030, '+3%'],
  [100_000, 99_990, '−0.1%'],
  [100_000, 20, '−99.9%'],
  [0, 20, undefined],
])('%d → %d bytes is said as %s', (beforeBytes, afterBytes, text) => {
  expect(changeText(beforeBytes, afterBytes)).toBe(text)
})
