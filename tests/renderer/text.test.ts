import { expect, test } from 'vitest'
import { statusText, tailOf } from '#renderer/row-text'
import { seenText } from '#renderer/device-text'
import { failureText, leftText } from '#renderer/text'
import { AppError } from '#shared/errors/app-error'

test.each([
  ['春游合影_2026-04-05.jpg', '26-04-05.jpg'],
  ['公司宣传册-封面（终稿）.png', '（终稿）.png'],
  ['a.jpg', 'a.jpg'],
  ['无扩展名的很长的名字', '长的名字'],
  ['.env', '.env'],
  ['', ''],
  // A pair of surrogates is one character and stays whole.
  ['照片照片照片🦊🦊🦊.webp', '片🦊🦊🦊.webp'],
])('of %s the end %s stays in sight', (name, tail) => expect(tailOf(name)).toBe(tail))

test.each([
  [0, '刚刚在用'],
  [59, '刚刚在用'],
  [60, '1 分钟前在用'],
  [3599, '59 分钟前在用'],
  [3600, '1 小时前在用'],
  [86_400, '1 天前在用'],
  [86_400 * 29, '29 天前在用'],
])('a computer seen %i seconds ago was %s', (seconds, text) => {
  const now = Date.parse('2026-01-31T12:00:00Z')
  expect(seenText(new Date(now - seconds * 1000).toISOString(), now)).toBe(text)
})

test('what is left is said by whose it is, and keeps its line until it is known', () => {
  expect(leftText(undefined, false, 'image')).toBe('\u00a0')
  expect(leftText(97, false, 'image')).toBe('今日免费次数还剩 97 次。')
  expect(leftText(0, true, 'image')).toBe('剩余 0 次。')
  expect(leftText(Infinity, true, 'ai')).toBe('会员不限次数。')
  expect(leftText(3, false, 'ai')).toBe('今日 AI 免费次数还剩 3 次。')
  expect(leftText(Infinity, false, 'free')).toBe('此功能免费，不计次数。')
})

test('a call without a file speaks of no upload', () => {
  expect(failureText(new AppError('network.offline', {}))).not.toContain('上传')
  expect(failureText(new TypeError('bug'))).not.toContain('次数')
  expect(failureText(new AppError('account.unknown', {}))).toBe('账号ID不存在，请检查是否输入完整。')
})

test('a file that became several says how many, a zip in parts does not', () => {
  const output = { name: '扫描-1.jpg', bytes: 1, format: 'jpeg', url: '/f' }
  const done = (format: string, count: number): string => {
    const outputs = [{ ...output, format }, ...Array.from({ length: count - 1 }, () => ({ ...output, format }))] as const
    return statusText({ at: 'done', note: undefined, parts: undefined, outputs }).text
  }
  expect([done('jpeg', 1), done('jpeg', 6), done('zip', 3)]).toEqual(['已完成', '已完成 · 共 6 个文件', '已完成'])
})

test('an effect that finds nothing to do says so in its own words', () => {
  const unchanged = {
    at: 'done',
    outputs: [{ name: 'a.jpg', bytes: 1, format: 'jpeg', url: '/f/1/0' }],
    note: { kind: 'unchanged' },
    parts: undefined,
  } as const
  expect(statusText(unchanged, 'denoise').text).toBe('没有明显噪点，无需处理')
  expect(statusText(unchanged, 'compress-image').text).toBe('已是最优，保留原图')
})

test('a guessed width and colours that help say what they are', () => {
  const outputs = [{ name: 'a.jpg', bytes: 1, format: 'jpeg', url: '/f/1/0' }] as const
  const guessed = { at: 'done', outputs, note: { kind: 'guessed' }, parts: undefined } as const
  expect(statusText(guessed, 'unstretch').text).toContain('估计')
  expect(statusText(guessed, 'unstretch').hint).toContain('按人脸')
  expect(statusText({ ...guessed, note: { kind: 'guessed', by: 'file' } }, 'unstretch').hint).toContain('按文件记录的原始尺寸')
  expect(statusText({ ...guessed, note: { kind: 'guessed', by: 'traces' } }, 'unstretch').hint).toContain('按缩放留下的痕迹')
  expect(statusText({ at: 'done', outputs, note: undefined, parts: undefined }, 'colourize').text).toContain('辅助')
})
