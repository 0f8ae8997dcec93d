import { expect, test } from 'vitest'
import { summaryOf } from '#renderer/tools/summary'
import { cropImage } from '#shared/tools/crop-image'
import { cutOut } from '#shared/tools/cut-out'
import { compressImage } from '#shared/tools/compress-image'
import { flag, initialOf, number, optionalNumber } from '#shared/tools/field'

const goal = (chosen: Record<string, unknown>) => summaryOf(compressImage.options, { goal: chosen, keepMetadata: true })

test('settings are summed up by the first number of the way chosen', () => {
  expect(goal({ by: 'size', targetKb: 200, minKb: 20, keepPixels: false })).toBe('200 KB')
  expect(goal({ by: 'megabytes', targetMb: 1.5, keepPixels: false })).toBe('1.5 MB')
  expect(goal({ by: 'quality', quality: 75 })).toBe('75%')
})

test('what is left out, or not yet a number, is not named', () => {
  const fields = { on: flag({ label: '甲', initial: true }), least: optionalNumber({ label: '乙', min: 1, max: 9, unit: 'KB' }) }
  expect(summaryOf(fields, { on: true, least: undefined })).toBe('')
  expect(summaryOf({ ...fields, most: number({ label: '丙', min: 1, max: 9, initial: 3 }) }, { on: true, most: 3 })).toBe('3')
  expect(goal({ by: 'size', targetKb: Number.NaN, keepPixels: false })).toBe('')
  expect(goal({ by: 'constructor' })).toBe('')
})

test('says the first option a page shows, a choice by its name', () => {
  const { options } = cropImage
  const start = initialOf(options)
  expect(summaryOf(options, start)).toBe('自由')
  expect(summaryOf(options, { ...start, ratio: '16:9' })).toBe('16:9')
  expect(summaryOf(options, { ...start, height: 300 }, ['height', 'ratio'])).toBe('300')
})

test.each([
  [{ by: 'transparent' }, '透明'],
  [{ by: 'colour', colour: '#438edb' }, '蓝'],
  [{ by: 'colour', colour: '#123456' }, '#123456'],
  [{ by: 'gradient', from: '#ffffff', to: '#000000', angle: 0 }, '渐变'],
  [{ by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 }, '图片'],
])('says a background by its name: %o is %s', (background, name) => {
  expect(summaryOf(cutOut.options, { ...initialOf(cutOut.options), background }, ['background', 'format'])).toBe(name)
})

test('passes over a number that is nothing, and a choice that is left to the tool', () => {
  const start = initialOf(cutOut.options)
  expect(summaryOf(cutOut.options, { ...start, feather: 0 }, ['trim', 'feather', 'format'])).toBe('')
  expect(summaryOf(cutOut.options, { ...start, feather: 0, format: 'webp' }, ['trim', 'feather', 'format'])).toBe('WebP')
})
