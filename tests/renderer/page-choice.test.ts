import { describe, expect, test } from 'vitest'
import { chosenOf, choiceText, everyPage, rangeOf, withStretch } from '#renderer/pdf/page-choice'
import { PagePictures, type PagePicture } from '#renderer/pdf/page-pictures'
import { pdfSource } from '#shared/tools/pdf-source'

describe('a choice of pages', () => {
  test.each([
    [[], ''],
    [[7], '7'],
    [[1, 2, 3, 7], '1-3,7'],
    [[1, 3, 5, 6], '1,3,5-6'],
  ])('%j is said as %j, and read back', (pages, range) => {
    expect(rangeOf(pages)).toBe(range)
    expect(chosenOf(range, 12)).toEqual(pages)
  })

  test('every second page of the longest PDF fits the field', () => {
    const range = rangeOf(everyPage(500, 'even'))
    expect(chosenOf(range, 500)).toHaveLength(250)
    expect(pdfSource.pages.schema.safeParse(range).success).toBe(true)
  })

  test('a stretch is taken in or left out from either end', () => {
    expect(withStretch([1, 9], 5, 3, true)).toEqual([1, 3, 4, 5, 9])
    expect(withStretch([1, 3, 4, 5, 9], 4, 5, false)).toEqual([1, 3, 9])
  })

  test('is told in words', () => {
    expect(choiceText('', 12)).toBe('转换全部 12 页')
    expect(choiceText('1-12', 12)).toBe('转换全部 12 页')
    expect(choiceText('1-3，7', 12)).toBe('已选 4 / 12 页')
    expect(choiceText('99', 12)).toContain('页码范围有误')
  })
})

test('pages are drawn one at a time, the last one wished for first, and none whose wish was withdrawn', async () => {
  const drawn: number[] = []
  let atATime = 0
  const draw = async (page: number): Promise<Blob> => {
    atATime += 1
    expect(atATime).toBe(1)
    drawn.push(page)
    await Promise.resolve()
    atATime -= 1
    if (page === 3) throw new Error('broken')
    return new Blob([String(page)])
  }
  const pictures = new PagePictures({ draw }, 100)
  const got = new Map<number, PagePicture>()
  const wish = (page: number) => pictures.ask(page, (picture) => got.set(page, picture))
  wish(1)
  const withdraw = wish(2)
  wish(3)
  wish(4)
  withdraw()
  await expect.poll(() => got.size).toBe(3)
  expect(drawn).toEqual([1, 4, 3])
  expect(got.get(3)).toBe('failed')
  expect(pictures.known(4)).toEqual(got.get(4))
  pictures.release()
  expect(pictures.known(4)).toBeUndefined()
})
