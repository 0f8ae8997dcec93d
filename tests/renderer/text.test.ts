import { expect, test } from 'vitest'
import { tailOf } from '#renderer/text'

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
