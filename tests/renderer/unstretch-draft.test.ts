import { expect, test } from 'vitest'
import { draftOf, dragged, hasRatio, optionsOf, widened, widthFor } from '#renderer/tools/unstretch-draft'
import { parseOptions } from '#shared/tools/index'

test('what a draft says the tool takes, whatever the width', () => {
  for (const width of [0, 24.94, 25, 79.95, 100, 399.99, 5000]) {
    const draft = widened(draftOf({}), width)
    const { ratio } = parseOptions('unstretch', optionsOf(draft))
    expect(ratio).toEqual({ by: 'manual', width: draft.width })
    expect(draftOf(optionsOf(draft))).toEqual(draft)
  }
  expect(optionsOf(draftOf({ ratio: { by: 'auto' }, method: 'seams' }))).toEqual({ ratio: { by: 'auto' }, method: 'seams' })
  expect(draftOf({ ratio: { by: 'manual', width: 'wide' } }).isAuto).toBe(true)
})

test('a side dragged by a quarter of what is seen changes the width by half, since both sides move', () => {
  const draft = widened(draftOf({}), 100)
  expect(dragged(draft, 50, 200).width).toBe(150)
  expect(dragged(draft, -50, 200).width).toBe(50)
  expect(dragged(draft, -500, 200).width).toBe(25)
})

test('4:3 shown as 16:9 is three quarters too wide', () => {
  const source = { width: 1280, height: 720 }
  expect(widthFor(4 / 3, source)).toBeCloseTo(75, 6)
  expect(hasRatio(widened(draftOf({}), widthFor(4 / 3, source)), 4 / 3, source)).toBe(true)
  expect(hasRatio(draftOf({}), 16 / 9, source)).toBe(false)
})
