import { expect, test } from 'vitest'
import { strokesOf, type Brush } from '#renderer/stage/brush'
import { historyOf, painted, redo, strokesIn, undo } from '#renderer/cut-out/stroke-history'
import { MAX_POINTS, MAX_POINTS_IN_ALL, MAX_STROKES, type Stroke } from '#shared/strokes'
import { parseOptions } from '#shared/tools/index'

const stroke = (x: number): Stroke => ({ mode: 'keep', size: 0.1, hardness: 1, points: [x, 0] })

test('takes gestures back one by one, those of an earlier time too, and does them again', () => {
  const begun = historyOf([stroke(1), stroke(2)])
  const longer = painted(begun, [stroke(3), stroke(4)])
  if (!longer) throw new Error('refused')
  expect(strokesIn(longer).map(({ points }) => points[0])).toEqual([1, 2, 3, 4])
  const back = undo(undo(longer))
  expect(strokesIn(back)).toEqual([stroke(1)])
  expect(strokesIn(redo(back))).toEqual([stroke(1), stroke(2)])
  expect(redo(redo(redo(back)))).toEqual(longer)
  expect(strokesIn(undo(undo(back)))).toEqual([])
})

test('a new gesture takes the place of what was taken back', () => {
  const after = painted(undo(historyOf([stroke(1), stroke(2)])), [stroke(5)])
  if (!after) throw new Error('refused')
  expect(strokesIn(redo(after))).toEqual([stroke(1), stroke(5)])
})

test('refuses what would be more strokes than a picture may have', () => {
  const full = historyOf(Array.from({ length: MAX_STROKES }, (_, n) => stroke(n)))
  expect(painted(full, [stroke(0)])).toBeUndefined()
  expect(painted(undo(full), [stroke(0)])).toBeDefined()
})

test('whatever is painted, with all its options it is less than the server takes', () => {
  const scribble = Array.from({ length: MAX_POINTS }, (_, n) => [((n * 7919) % 2000) / 700 - 0.987654, n % 2 ? -0.987654 : 1.987654]).flat()
  const [long] = strokesOf<Brush>({ mode: 'erase', size: 0.1 / 3, hardness: 2 / 3 }, scribble, { width: 1000, height: 1000 })
  if (!long) throw new Error('no stroke')
  expect(long.points.length).toBe(2 * MAX_POINTS)
  const scribbles = MAX_POINTS_IN_ALL / MAX_POINTS
  const single = { ...long, points: long.points.slice(0, 2) }
  const begun = historyOf([
    ...Array.from({ length: scribbles - 1 }, () => long),
    ...Array.from({ length: MAX_STROKES - scribbles }, () => single),
  ])
  const rest = painted(begun, [{ ...long, points: long.points.slice(0, 2 * (MAX_POINTS - (MAX_STROKES - scribbles))) }])
  if (!rest) throw new Error('refused')
  expect(painted(undo(rest), [long])).toBeUndefined()
  const strokes = strokesIn(rest)
  expect(strokes.length).toBe(MAX_STROKES)
  expect(parseOptions('cut-out', { strokes }).strokes).toEqual(strokes)
  expect(() => parseOptions('cut-out', { strokes: [...strokes.slice(0, -1), long] })).toThrow('options.invalid')
  expect(JSON.stringify({ tool: 'cut-out', options: { strokes }, inputs: [] }).length).toBeLessThan(0.8 * 1024 ** 2)
})
