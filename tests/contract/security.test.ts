import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '#build/setup'

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')

/** The rows of the table under a heading, by their cells. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const [, part = ''] = text.split(`\n## ${heading}`)
  const [section = ''] = part.split('\n## ')
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** How many requirements of level 1 or 2 each section of ASVS 5.0.0 has; they are the first ones of their section. */
const SECTIONS =
  '1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 ' +
  '6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 ' +
  '10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 ' +
  '13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2'
const required = SECTIONS.split(' ').flatMap((section) => {
  const [id = '', count = ''] = section.split(':')
  return Array.from({ length: Number(count) }, (_, n) => `${id}.${n + 1}`)
})

const byNumber = (left: string, right: string): number => left.localeCompare(right, 'en', { numeric: true })

describe('what SECURITY.md says', () => {
  test('answers every requirement of ASVS 5.0 at levels 1 and 2, each once, and gives its reason', () => {
    expect(required).toHaveLength(253)
    const rows = tableUnder('OWASP ASVS 5.0')
    const ids = rows.flatMap(([id = '']) => id.split('、'))
    expect(ids.toSorted(byNumber)).toEqual(required.toSorted(byNumber))
    for (const [, , state, reason] of rows) {
      expect(['满足', '部分', '未满足', '经营者', '不适用']).toContain(state)
      expect(reason).not.toBe('')
    }
  })

  test('counts them as they are', () => {
    const counted = new Map<string, number>()
    for (const [ids = '', , state = ''] of tableUnder('OWASP ASVS 5.0')) {
      counted.set(state, (counted.get(state) ?? 0) + ids.split('、').length)
    }
    for (const [state, count] of counted) expect(text).toContain(`${state} ${count}`)
  })

  test('has a test or a decision for each of the 52 gaps', () => {
    const gaps = tableUnder('规格中的缺口与补法').filter(([id = '']) => /^\d+$/.test(id))
    expect(gaps.map(([id]) => Number(id))).toEqual(Array.from({ length: 52 }, (_, n) => n + 1))
    for (const [, what = '', evidence = ''] of gaps) expect(`${what}${evidence}`).toMatch(/决定：|`tests\//)
  })

  test('names files that are there, and words that stand in them', () => {
    const files = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|md|conf|yml))`/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(150)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    const quoted = [...text.matchAll(/`(tests\/[\w./-]+\.ts)`((?: ?、?“[^”]+”)+)/g)].flatMap(([, file = '', words = '']) =>
      [...words.matchAll(/“([^”]+)”/g)].map(([, word = '']) => ({ file, word })),
    )
    expect(quoted.length).toBeGreaterThan(120)
    expect(quoted.filter(({ file, word }) => !readFileSync(join(root, file), 'utf8').includes(word))).toEqual([])
  })
})
