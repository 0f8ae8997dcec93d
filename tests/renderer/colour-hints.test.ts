import { expect, it } from 'vitest'
import { hintAt, palette } from '#renderer/colourize/hint-strokes'
import { back, current, forward, stepped, stepsFrom } from '#renderer/colourize/steps'
import { strokesOf } from '#renderer/stage/brush'
import type { Hint } from '#shared/hints'
import { parseOptions } from '#shared/tools/index'

const SIZE = { width: 400, height: 200 }
const line = (y: number, size = 0.05): Hint => ({ colour: '#405f8f', size, points: [0.2, y, 0.8, y] })

it('the uppermost stroke at a place is found, along all of its length and as wide as it is', () => {
  const hints = [line(0.5), line(0.52), line(0.9)]
  expect(hintAt(hints, 0.5, 0.51, SIZE)).toBe(1)
  expect(hintAt(hints, 0.21, 0.9, SIZE)).toBe(2)
  // A twentieth of 400 px is wide 10 px either way, a tenth of the height in all.
  expect(hintAt([line(0.5)], 0.5, 0.545, SIZE)).toBe(0)
  expect(hintAt([line(0.5)], 0.5, 0.6, SIZE)).toBe(-1)
  expect(hintAt([line(0.5)], 0.1, 0.5, SIZE)).toBe(-1)
  expect(hintAt([{ ...line(0), points: [0.5, 0.5] }], 0.505, 0.5, SIZE)).toBe(0)
})

it('steps are taken back and again, what was taken away too; another step ends that', () => {
  const first = stepped(stepsFrom<readonly string[]>([]), ['甲'])
  const both = stepped(first, ['甲', '乙'])
  const erased = stepped(both, ['乙'])
  const undone = back(erased)
  expect(undone && current(undone)).toEqual(['甲', '乙'])
  expect(undone && forward(undone)).toEqual(erased)
  expect(back(stepsFrom([]))).toBeUndefined()
  expect(forward(erased)).toBeUndefined()
  const other = undone && stepped(undone, ['丙'])
  expect(other && [current(other), forward(other)]).toEqual([['丙'], undefined])
})

it('what is painted with any colour offered is what the server takes', () => {
  const colours = palette.flatMap((group) => group.colours.map(([, colour]) => colour))
  expect(new Set(colours).size).toBe(colours.length)
  const hints = colours.flatMap((colour) => strokesOf({ colour, size: 0.03 }, [0.1, 0.1, 0.4, 0.7, 0.9, 0.2], SIZE))
  expect(parseOptions('colourize', { hints }).hints).toEqual(hints)
})
