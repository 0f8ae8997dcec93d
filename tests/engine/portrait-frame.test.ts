import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { facePoints, headMatte, type DrawnFace } from '../fixtures/drawn-faces.ts'
import { headLines } from '#engine/image/head-lines'
import { faceFrame, isSuchPhoto, pictureBounds, portraitFrame } from '#engine/image/portrait-frame'
import type { Frame, Sides } from '#shared/id-photo-crop'
import { idPhotos, type HeadPlace, type IdPhoto } from '#shared/id-photos'

const presets: readonly IdPhoto[] = Object.values(idPhotos)
const placeOf = ({ widthPx, heightPx, head }: IdPhoto): { ratio: number; place: HeadPlace } => ({ ratio: widthPx / heightPx, place: head })
const usual = placeOf(idPhotos['one-inch'])
const linesOf = (face: DrawnFace, crown: number) => ({ crown, eyes: face.eyes, chin: face.chin, centre: face.x, tilt: 0 })

const isInside = ({ left, top, width, height }: Frame, picture: Sides): boolean =>
  left >= -1e-6 && top >= -1e-6 && left + width <= picture.width + 1e-6 && top + height <= picture.height + 1e-6

/** A picture and a head in it, anywhere. */
const scenes = fc
  .record({
    width: fc.integer({ min: 200, max: 4000 }),
    height: fc.integer({ min: 200, max: 4000 }),
    x: fc.double({ min: 0.2, max: 0.8, noNaN: true }),
    crown: fc.double({ min: 0, max: 0.5, noNaN: true }),
    head: fc.double({ min: 0.05, max: 0.45, noNaN: true }),
  })
  .map(({ width, height, x, crown, head }) => {
    const [from, to] = [crown * height, (crown + head) * height]
    return { picture: { width, height }, lines: linesOf({ x: x * width, eyes: from + (to - from) * 0.55, chin: to }, from) }
  })

describe('a frame for a face', () => {
  test('is exactly the rule’s where there is room', () => {
    const picture = { width: 3000, height: 4000 }
    for (const { ratio, place } of presets.map(placeOf)) {
      const lines = linesOf({ x: 1500, eyes: 1550, chin: 2000 }, 1000)
      const frame = portraitFrame(picture, lines, ratio, place, { bounds: pictureBounds(picture), isKept: true })
      expect(frame.width / frame.height).toBeCloseTo(ratio)
      expect(1000 / frame.height).toBeCloseTo(place.height)
      expect(frame.left + frame.width / 2).toBeCloseTo(1500)
      expect((1000 - frame.top) / frame.height).toBeLessThan(place.above + 0.12)
    }
  })

  test('never leaves a picture whose ground stays, and has the ratio asked for', () => {
    fc.assert(
      fc.property(scenes, fc.constantFrom(...presets), ({ picture, lines }, preset) => {
        const { ratio, place } = placeOf(preset)
        const frame = portraitFrame(picture, lines, ratio, place, { bounds: pictureBounds(picture), isKept: true })
        expect(isInside(frame, picture)).toBe(true)
        expect(frame.width / frame.height).toBeCloseTo(ratio)
      }),
    )
  })

  test('holds the whole head on new ground, as tall as the rule allows, wherever the head is', () => {
    fc.assert(
      fc.property(scenes, fc.constantFrom(...presets), fc.boolean(), ({ picture, lines }, preset, isTouching) => {
        const { ratio, place } = placeOf(preset)
        const open = { left: -Infinity, top: -Infinity, right: Infinity, bottom: picture.height }
        const bounds = isTouching ? pictureBounds(picture) : open
        const { left, top, width, height } = portraitFrame(picture, lines, ratio, place, { bounds, isKept: false })
        expect(width / height).toBeCloseTo(ratio)
        expect(top).toBeLessThanOrEqual(lines.crown + 1e-6)
        expect(top + height).toBeGreaterThanOrEqual(lines.chin - 1e-6)
        expect(Math.abs(left + width / 2 - lines.centre)).toBeLessThanOrEqual(width * 0.041)
        const part = (lines.chin - lines.crown) / height
        expect(part).toBeGreaterThanOrEqual(place.height - 1e-6)
        expect(part).toBeLessThanOrEqual((place.tallest ?? place.height * 1.15) + 1e-6)
      }),
    )
  })
})

describe('shoulders', () => {
  const picture = { width: 600, height: 840 }
  const found = (face: DrawnFace, matte: Parameters<typeof headMatte>[1]) => ({
    landmarks: facePoints(face),
    matte: headMatte(picture, matte),
    isGroundKept: false,
  })

  test('that touch the picture’s sides are not cut in sight: the head is a little larger instead', () => {
    // By the rule a head of 310 px would want a frame of 332×465 px about x = 150: its left side would be ground beside a sleeve.
    const face = { x: 160, eyes: 300, chin: 430 }
    const { frame } = faceFrame(found(face, { ...face, crown: 120, shoulders: 3 }), picture, usual.ratio, usual.place)
    expect(frame.left).toBeGreaterThanOrEqual(0)
  })

  test('are never a bust that floats above the lower edge', () => {
    for (const bottom of [840, 640]) {
      const face = { x: 300, eyes: 400, chin: 530 }
      const { frame } = faceFrame(found(face, { ...face, crown: 220, bottom }), picture, usual.ratio, usual.place)
      expect(frame.top + frame.height).toBeLessThanOrEqual(bottom + 1)
    }
  })

  test('leave the sides free where the person does not touch them, and the head in the middle', () => {
    const face = { x: 110, eyes: 300, chin: 400 }
    const { frame, lines } = faceFrame(found(face, { ...face, crown: 160, shoulders: 1 }), picture, usual.ratio, usual.place)
    expect(frame.left + frame.width / 2).toBeCloseTo(lines.centre)
    expect(frame.left).toBeLessThan(0)
  })
})

describe('a picture that is such a photo already', () => {
  const picture = { width: 295, height: 413 }
  const lines = linesOf({ x: 150, eyes: 175, chin: 310 }, 40)

  test('keeps its frame', () => {
    expect(isSuchPhoto(picture, lines, usual.ratio, usual.place)).toBe(true)
    const face = { x: 148, eyes: 170, chin: 310 }
    const found = { landmarks: facePoints(face), matte: headMatte(picture, { ...face, crown: 38 }), isGroundKept: false }
    expect(faceFrame(found, picture, usual.ratio, usual.place).frame).toEqual({ left: 0, top: 0, ...picture })
  })

  test('is none with another ratio, a small head, or one at the edge', () => {
    expect(isSuchPhoto({ width: 295, height: 390 }, lines, usual.ratio, usual.place)).toBe(false)
    expect(isSuchPhoto(picture, { ...lines, crown: 120 }, usual.ratio, usual.place)).toBe(false)
    expect(isSuchPhoto(picture, { ...lines, centre: 120 }, usual.ratio, usual.place)).toBe(false)
    expect(isSuchPhoto(picture, { ...lines, tilt: 5 }, usual.ratio, usual.place)).toBe(false)
  })
})

test('a head that leans is set upright where nothing beyond the picture shows, else left as it is', () => {
  const picture = { width: 2000, height: 2400 }
  const lean = (x: number, y: number) => {
    const [cos, sin] = [Math.cos(0.2), Math.sin(0.2)]
    return facePoints({ x: 0, eyes: 0, chin: 150 }).map((point) => ({
      x: x + point.x * cos - point.y * sin,
      y: y + point.x * sin + point.y * cos,
    }))
  }
  const tiltAt = (x: number, y: number): number =>
    faceFrame({ landmarks: lean(x, y), matte: undefined, isGroundKept: true }, picture, usual.ratio, usual.place).lines.tilt
  expect(tiltAt(1000, 1200)).toBeCloseTo(11.5, 0)
  expect(tiltAt(160, 250)).toBe(0)
  expect(headLines(lean(1000, 1200), picture, 0).tilt).toBe(0)
})
