import { expect, test } from 'vitest'

test('pdf.js leaves the language as it found it', async () => {
  const ofLanguage = () =>
    [Array.prototype, JSON].map((one) => [Reflect.get(one, 'push'), Reflect.get(one, 'parse'), Reflect.get(one, 'stringify')])
  const before = ofLanguage().flat()
  await import('#engine/pdf/pdfjs')
  expect(
    ofLanguage()
      .flat()
      .every((one, at) => one === before[at]),
  ).toBe(true)
})
