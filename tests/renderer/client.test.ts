import { expect, test } from 'vitest'
import { pageFor } from '#renderer/client/page-for'
import { offlineText } from '#renderer/client/offline-text'
import { commandOf, type Stroke } from '#renderer/client/keys'
import { resultAt } from '#shared/local-results'
import { placeText } from '#renderer/client/client-state'

const stroke = (key: string, held: Partial<Stroke> = {}): Stroke => ({
  key,
  ctrlKey: true,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  ...held,
})

test.each([
  [stroke('o'), 'open-files'],
  // With shift, and with caps lock, letters come as capitals.
  [stroke('O', { shiftKey: true }), 'open-folder'],
  [stroke('O'), 'open-files'],
  [stroke('Enter'), 'start'],
  [stroke(','), 'settings'],
  [stroke('Enter', { shiftKey: true }), undefined],
  [stroke('o', { ctrlKey: false }), undefined],
  [stroke('o', { altKey: true }), undefined],
  [stroke('v'), undefined],
] as const)('the key %o asks for %s', (pressed, command) => expect(commandOf(pressed)).toBe(command))

test.each([
  ['照片.JPG', '/matting/person', '/matting/person'],
  ['照片.heic', '/pdf/toword', '/'],
  ['合同.pdf', '/', '/pdf/toword'],
  ['合同.PDF', '/pdf/totxt', '/pdf/totxt'],
  ['表格.xlsx', '/zip', '/zip'],
  // It is refused there, and said why.
  ['表格.xlsx', '/edit/crop', '/'],
  ['照片.jpg', '/nowhere', '/'],
])('%s that comes while %s is open goes to %s', (name, open, page) => expect(pageFor(name, open)).toBe(page))

test('an address of a result names its job and its number', () => {
  expect(resultAt('/local/results/a-1/0')).toEqual({ jobId: 'a-1', output: 0 })
  expect(resultAt('app://qingtu/local/results/a%2F1/12')).toEqual({ jobId: 'a/1', output: 12 })
  expect(resultAt('/local/parts/a-1/matte')).toBeUndefined()
  expect(resultAt('https://elsewhere/local/results/a/0')).toBeUndefined()
})

test('where results go is said as a person would', () => {
  expect(placeText({ place: 'subfolder', folder: 'D:\\图' })).toBe('原图旁的“轻图”文件夹')
  expect(placeText({ place: 'beside', folder: '' })).toBe('与原图同一文件夹')
  expect(placeText({ place: 'folder', folder: 'D:\\图' })).toBe('D:\\图')
  expect(placeText({ place: 'folder', folder: '' })).toBe('指定文件夹')
})

test('how long a member may work without a network is said by its day and what is left', () => {
  expect(offlineText({ until: '2026-11-29T16:30:00Z', left: 120 })).toBe('至11月30日 · 剩 120 次')
  expect(offlineText({ until: '2026-11-29T10:00:00Z', left: null })).toBe('至11月29日')
  expect(offlineText(null)).toBe('联网后自动开通')
})
