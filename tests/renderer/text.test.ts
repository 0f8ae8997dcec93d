import { expect, test } from 'vitest'
import { statusText, tailOf } from '#renderer/text'

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

test('a file that became several says how many, a zip in parts does not', () => {
  const output = { name: '扫描-1.jpg', bytes: 1, format: 'jpeg', url: '/f' }
  const done = (format: string, count: number): string => {
    const outputs = [{ ...output, format }, ...Array.from({ length: count - 1 }, () => ({ ...output, format }))] as const
    return statusText({ at: 'done', note: undefined, outputs }).text
  }
  expect([done('jpeg', 1), done('jpeg', 6), done('zip', 3)]).toEqual(['已完成', '已完成 · 共 6 个文件', '已完成'])
})
