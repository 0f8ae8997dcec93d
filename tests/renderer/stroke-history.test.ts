import { expect, test } from 'vitest'
import { historyOf, painted, redo, strokesIn, undo } from '#renderer/cut-out/stroke-history'
import { MAX_STROKES, type Stroke } from '#shared/strokes'

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
