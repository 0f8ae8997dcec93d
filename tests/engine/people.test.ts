import { describe, expect, test } from 'vitest'
import { groupPath, groups, pixelsOf } from '../fixtures/faces.ts'
import { findFaces } from '#engine/ai/faces'
import { seePeople, withPeopleSeen } from '#engine/ai/people'
import { cropped, meanOf, type SoftMap } from '#engine/ai/soft-map'
import type { Rect } from '#shared/resize'

const SIDE = 128

/** A square map that is 1 in the boxes and 0 elsewhere. */
function mapOf(...boxes: readonly Rect[]): SoftMap {
  const data = new Float32Array(SIDE * SIDE)
  for (const { left, top, width, height } of boxes) {
    for (let y = top; y < top + height; y++) data.fill(1, y * SIDE + left, y * SIDE + left + width)
  }
  return { data, width: SIDE, height: SIDE }
}

const meanIn = (map: SoftMap, box: Rect): number => meanOf(cropped(map, box))
const head = { left: 50, top: 10, width: 28, height: 34 }
const body = { left: 34, top: 44, width: 60, height: 84 }
const hair = { left: 44, top: 2, width: 40, height: 8 }
const board = { left: 98, top: 0, width: 30, height: 100 }
const guitar = { left: 95, top: 70, width: 33, height: 24 }
const phone = { left: 95, top: 80, width: 8, height: 12 }

describe('what a net for people saw beside another model', () => {
  test('brings back hair and clothes that were taken for ground', () => {
    const fused = withPeopleSeen(mapOf(head), mapOf(head, hair, body), [head], 0.5)
    expect(meanIn(fused, body)).toBeGreaterThan(0.97)
    expect(meanIn(fused, head)).toBe(1)
  })

  test('takes away a board that stands beside somebody, and leaves what they hold', () => {
    const fused = withPeopleSeen(mapOf(head, body, board), mapOf(head, body), [head], 0.5)
    expect(meanIn(fused, board)).toBeLessThan(0.05)
    for (const thing of [phone, guitar]) {
      const holding = mapOf(head, body, thing)
      expect(meanIn(withPeopleSeen(holding, mapOf(head, body), [head], 0.5), thing)).toBe(1)
    }
    // What the model is not sure of is no thing.
    const haze = mapOf(head, body, guitar)
    haze.data.forEach((value, at) => (haze.data[at] = at % SIDE >= guitar.left ? value * 0.7 : value))
    expect(meanIn(withPeopleSeen(haze, mapOf(head, body), [head], 0.5), guitar)).toBeLessThan(0.1)
  })

  test('counts for nothing where it overlooks one of several people', () => {
    const second = { left: 4, top: 12, width: 28, height: 34 }
    const both = mapOf(head, body, second)
    expect(withPeopleSeen(both, mapOf(head, body), [head, second], 0.5)).toBe(both)
    // Somebody far behind is nobody who is meant.
    const behind = { left: 4, top: 12, width: 8, height: 10 }
    const crowd = mapOf(head, body, board, behind)
    expect(meanIn(withPeopleSeen(crowd, mapOf(head, body), [head, behind], 0.5), board)).toBeLessThan(0.05)
  })

  test('takes nothing away from people who are far, or whose faces are not known', () => {
    const far = { left: 60, top: 20, width: 8, height: 10 }
    const whole = mapOf(far, body)
    const half = mapOf(far, { ...body, height: 60 })
    for (const faces of [[far], []]) expect(meanIn(withPeopleSeen(whole, half, faces, 0.5), body)).toBe(1)
  })

  test('without a known face counts only where it saw most of the same', () => {
    const something = mapOf(board)
    expect(withPeopleSeen(something, mapOf(head, body), [], 0.5)).toBe(something)
    expect(meanIn(withPeopleSeen(mapOf(head), mapOf(head, body), [], 0.5), body)).toBeGreaterThan(0.97)
    const nothing = mapOf()
    expect(withPeopleSeen(nothing, mapOf(head), [], 0.5)).toBe(nothing)
  })

  test('moves the edges of a quick model half way, of a large one not at all', () => {
    const wider = mapOf(head, { ...body, left: body.left - 1 })
    const rim = { left: body.left - 1, top: 60, width: 1, height: 40 }
    expect(meanIn(withPeopleSeen(mapOf(head, body), wider, [head], 0), rim)).toBeLessThan(0.05)
    expect(meanIn(withPeopleSeen(mapOf(head, body), wider, [head], 0.5), rim)).toBeCloseTo(0.5, 1)
  })
})

test.each(groups.filter(([, people]) => people <= 4))('the net sees every face of %s, and no people in its upper corners', async (name) => {
  const picture = await pixelsOf(groupPath(name))
  const people = await seePeople(picture)
  const [across, down] = [people.width / picture.width, people.height / picture.height]
  for (const { box } of await findFaces(picture)) {
    const [left, top] = [Math.round(box.left * across), Math.round(box.top * down)]
    const face = { left, top, width: Math.floor(box.width * across), height: Math.floor(box.height * down) }
    expect(meanIn(people, face)).toBeGreaterThan(0.8)
  }
  for (const left of [0, people.width - 12]) expect(meanIn(people, { left, top: 0, width: 12, height: 12 })).toBeLessThan(0.1)
})
