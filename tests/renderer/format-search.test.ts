import { describe, expect, test } from 'vitest'
import { findFormats } from '#renderer/tools/format-search'
import { convertibleFormats, formatGroups, writableFormats } from '#shared/formats'

const found = (typed: string) => findFormats(writableFormats, typed).flatMap(({ ids }) => ids)

describe('the search for a format', () => {
  test('starts with all of them, by family', () => {
    const groups = findFormats(writableFormats, ' ')
    expect(groups[0]?.label).toBe(formatGroups.common)
    expect(groups[0]?.ids.slice(0, 3)).toEqual(['jpeg', 'png', 'gif'])
    expect(new Set(found(''))).toEqual(new Set(writableFormats))
  })

  test.each([
    ['jpg', 'jpeg'],
    ['.JPG', 'jpeg'],
    ['jfif', 'jpeg'],
    ['ico', 'ico'],
    ['tif', 'tiff'],
    ['苹果手机', 'heic'],
    ['鼠标', 'cur'],
    ['文档，一页', 'pdf'],
  ])('finds by what people type: %s is %s', (typed, id) => {
    expect(found(typed)[0]).toBe(id)
  })

  test('reads descriptions in any case, and says nothing of what it does not know', () => {
    expect(findFormats(convertibleFormats, 'photoshop').flatMap(({ ids }) => ids)).toEqual(['psd', 'psb'])
    expect(findFormats(writableFormats, '不存在')).toEqual([])
  })
})
