import { describe, expect, test } from 'vitest'
import { cropOf, cropOptionsOf, firstMarks, foundMarks, groundOf, moved, planned } from '#renderer/tools/id-photo-draft'
import { initialOf } from '#shared/tools/field'
import { idPhoto } from '#shared/tools/id-photo'
import { parseOptions } from '#shared/tools/index'

const start = initialOf(idPhoto.options)
const picture = { width: 1200, height: 1600 }

describe('the lines of a head', () => {
  test('keep their order and the picture, wherever they are pulled', () => {
    const { crown, eyes, chin } = firstMarks
    expect(moved(firstMarks, 'crown', 99).crown).toBeLessThan(eyes)
    expect(moved(firstMarks, 'chin', 0).chin).toBeGreaterThan(eyes)
    const low = moved(firstMarks, 'eyes', 100).eyes
    expect(low > crown && low < chin).toBe(true)
    expect(moved(firstMarks, 'centre', -5).centre).toBe(0)
    for (const line of ['crown', 'eyes', 'chin'] as const) {
      expect(() => parseOptions('id-photo', { ...start, ...cropOptionsOf(moved(firstMarks, line, 50)) })).not.toThrow()
    }
  })

  test('come back out of the options they were saved as', () => {
    const marks = { crown: 20, eyes: 38.5, chin: 60, centre: 47.2, tilt: -3 }
    for (const crop of [marks, 'auto', 'face'] as const) expect(cropOf({ ...start, ...cropOptionsOf(crop) })).toEqual(crop)
  })

  test('as the tool found them can be saved, even those of a face at the edge or next to none', () => {
    const marks = { crown: 12, eyes: 30.5, chin: 44, centre: 51, tilt: 2.5 }
    expect(foundMarks(marks)).toEqual(marks)
    for (const head of [
      { ...marks, crown: 0, eyes: 0, chin: 0.2 },
      { ...marks, crown: 99.9, eyes: 100, chin: 100 },
      { ...marks, crown: 30.5, eyes: 30.5, chin: 30.5 },
    ])
      expect(() => parseOptions('id-photo', { ...start, ...cropOptionsOf(foundMarks(head) ?? 'auto') })).not.toThrow()
    expect(foundMarks(undefined)).toBeUndefined()
  })

  test('stand on the ground that options name', () => {
    expect(groundOf(start)).toBeUndefined()
    expect(groundOf({ ...start, background: { by: 'colour', colour: '#ff0000' } })).toBe('#ff0000')
  })

  test('make a frame in which the head has the height its kind asks for; without lines it is as large as can be', () => {
    const { frame, target, isHeadWhole } = planned(picture, { ...start, preset: 'one-inch' }, { ...firstMarks, crown: 20, chin: 60 })
    expect(target).toEqual({ width: 295, height: 413 })
    // 40 % of 1600 px are two thirds of the frame.
    expect(frame.height).toBeCloseTo(960)
    expect(frame.width / frame.height).toBeCloseTo(295 / 413)
    expect(isHeadWhole).toBe(true)
    expect(planned(picture, { ...start, preset: 'one-inch' }, { ...firstMarks, centre: 3 }).isHeadWhole).toBe(false)
    expect(planned(picture, { ...start, preset: 'one-inch' }, undefined).frame.height).toBe(1600)
  })
})
