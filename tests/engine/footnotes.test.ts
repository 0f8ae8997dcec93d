import { describe, expect, test } from 'vitest'
import { bodyLines, markedLines, noteRule } from '../fixtures/noted-pages.ts'
import { pageOf } from '../fixtures/page-of.ts'
import { drawn, drawnGrid } from '../fixtures/pdfs.ts'
import { layoutPage } from '#engine/document/layout-page'
import { textOf } from '#engine/document/lines'
import { pageText } from '#engine/document/plain-text'

const layoutOf = async (content: string) => layoutPage(await pageOf(content))

/** What each note of a drawn page says, and the calls in its text. */
async function notesIn(content: string) {
  const { notes, sections, footer } = await layoutOf(content)
  const blocks = sections.flatMap(({ columns }) => columns.flatMap((column) => column.blocks))
  const runs = blocks.flatMap((block) => (block.kind === 'paragraph' ? block.runs : []))
  return {
    notes: (notes?.own ?? []).map(({ paragraphs }) => paragraphs.map((one) => textOf(one.runs)).join('\n')),
    carried: notes?.carried?.paragraphs.map((one) => textOf(one.runs)).join('\n'),
    calls: runs.flatMap(({ note, text }) => (note === undefined ? [] : [[text, note]])),
    text: textOf(runs),
    footer: footer.map((block) => (block.kind === 'paragraph' ? textOf(block.runs) : block.kind)),
  }
}

const note = (lines: readonly string[], y: number, x = 60, size = 9): string => markedLines(lines, x, y, size, 13)

describe('notes are found', () => {
  test('under a short rule, each with all of its lines', async () => {
    const body = bodyLines([
      '图片可以压缩到指定大小{①}以内，也可以转换格式或者更换背景颜色',
      '还可以把文档转成文字{②}，全部完成以后再下载到自己的电脑里面去',
    ])
    const notes = ['{①}参见《图像处理手册》第三章的说明，其中对压缩方法有详细的介绍与比较，本文不', '再赘述。', '{②}指可以编辑的文字。']
    const found = await notesIn(markedLines(body, 60, 780) + noteRule(60, 130) + note(notes, 115) + drawn('- 3 -', 285, 40, 9))
    expect(found.notes).toEqual([
      '①参见《图像处理手册》第三章的说明，其中对压缩方法有详细的介绍与比较，本文不再赘述。',
      '②指可以编辑的文字。',
    ])
    expect(found.calls).toEqual([
      ['①', 0],
      ['②', 1],
    ])
    expect(found.footer).toEqual(['- 3 -'])
    expect(found.text).not.toContain('手册')
  })

  test.each([
    ['1', '1'],
    ['[1]', '[1]'],
    ['*', '*'],
    ['†', '†'],
    ['〔1〕', '〔1〕'],
    ['¹', '1'],
  ])('by the mark %s, without any rule', async (mark, written) => {
    const body = bodyLines([`图片可以压缩到指定大小{${mark}}以内，也可以转换格式或者更换背景`])
    const found = await notesIn(markedLines(body, 60, 780) + note([`{${mark}}参见手册第三章。`], 115))
    expect(found.notes.map((one) => one.replace(' ', ''))).toEqual([`${written}参见手册第三章。`])
    expect(found.calls).toEqual([[written, 0]])
  })

  test('whose number stands on the line, parted from its text', async () => {
    const body = bodyLines(['图片可以压缩到指定大小{1}以内，还可以转换成其他的格式{2}'])
    const lines =
      drawn('1', 60, 115, 9) + drawn('参见手册第三章。', 72, 115, 9) + drawn('2.', 60, 102, 9) + drawn('即网页所用的格式。', 72, 102, 9)
    const found = await notesIn(markedLines(body, 60, 780) + noteRule(60, 130) + lines)
    expect(found.notes).toEqual(['1 参见手册第三章。', '2. 即网页所用的格式。'])
  })

  test('at the very edge of the page, where a running foot would stand', async () => {
    const body = bodyLines(['图片可以压缩到指定大小{①}以内，也可以转换格式或者更换背景'])
    const found = await notesIn(markedLines(body, 60, 780) + note(['{①}参见手册第三章。'], 48) + drawn('3', 294, 18, 9))
    expect(found.notes).toEqual(['①参见手册第三章。'])
    expect(found.footer).toEqual(['3'])
  })

  test('at the foot of each column', async () => {
    const column = (mark: string) =>
      Array.from(
        { length: 20 },
        (_, at) => `栏内正文的第${'一二三四五六七八九十'[at % 10]}行${at === 2 ? `{${mark}}` : '写'}到栏的末尾为止`,
      )
    const content =
      markedLines(column('①'), 50, 780, 12, 18) +
      markedLines(column('②'), 320, 780, 12, 18) +
      noteRule(50, 130, 80) +
      note(['{①}左栏的注释，它的文字比', '较长，一共占了两行。'], 115, 50) +
      noteRule(320, 130, 80) +
      note(['{②}右栏的注释。'], 115, 320)
    const found = await notesIn(content)
    expect(found.notes).toEqual(['①左栏的注释，它的文字比较长，一共占了两行。', '②右栏的注释。'])
    expect(found.calls).toEqual([
      ['①', 0],
      ['②', 1],
    ])
  })

  test('that a cell of a table calls, under a rule', async () => {
    const table =
      drawnGrid([60, 210, 360], [500, 470, 440]) +
      drawn('项目', 70, 480) +
      markedLines(['金额{*}'], 220, 480) +
      drawn('收入', 70, 450) +
      drawn('12', 220, 450)
    const content =
      markedLines(bodyLines([]), 60, 780) +
      table +
      drawn('表格之后还有一段正文。', 60, 400) +
      noteRule(60, 130) +
      note(['{*}单位为元。'], 115)
    const { sections, notes } = await layoutOf(content)
    expect(notes?.own).toHaveLength(1)
    const cells = sections
      .flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
      .flatMap((block) => (block.kind === 'table' ? block.cells : []))
    const runs = cells.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'paragraph' ? block.runs : [])))
    expect(runs.find((run) => run.note === 0)?.text).toBe('*')
  })

  test('and follow the page’s text, before its foot', async () => {
    const body = bodyLines(['图片可以压缩到指定大小{①}以内，也可以转换格式或者更换背景'])
    const content = markedLines(body, 60, 780) + noteRule(60, 130) + note(['{①}参见手册第三章。'], 115) + drawn('- 3 -', 285, 40, 9)
    expect(pageText(await layoutOf(content), 'paragraph').slice(-2)).toEqual(['①参见手册第三章。', '- 3 -'])
  })
})

describe('what is no note stays where it is', () => {
  const called = bodyLines(['图片可以压缩到指定大小{①}以内，也可以转换格式或者更换背景', '结果见下表'])
  /** All that is taken for a note, or for a call of one. */
  const taken = async (content: string): Promise<readonly unknown[]> => {
    const { notes, calls } = await notesIn(content)
    return [...notes, ...calls]
  }

  test("a table's own, whatever calls it", async () => {
    const table =
      drawnGrid([60, 210, 360], [300, 270, 240]) +
      drawn('项目', 70, 280) +
      markedLines(['金额{①}'], 220, 280) +
      drawn('收入', 70, 250) +
      drawn('12', 220, 250)
    expect(
      await taken(
        markedLines(
          called.map((line) => line.replace('{①}', '')),
          60,
          780,
        ) +
          table +
          note(['{①}单位为元。'], 226),
      ),
    ).toEqual([])
    expect(await taken(markedLines(called, 60, 780) + table + note(['{①}单位为元。'], 226))).toEqual([])
  })

  test('a list that nothing calls, and small text', async () => {
    expect(await taken(markedLines(bodyLines([]), 60, 780) + note(['①第一种情形。', '②第二种情形。'], 115))).toEqual([])
    expect(await taken(markedLines(called, 60, 780) + note(['注：数据截至年底。'], 115))).toEqual([])
  })

  test('a list of references, few of which are called', async () => {
    const body = bodyLines(['图片可以压缩到指定大小{[1]}以内，也可以转换格式或者更换背景'])
    const list = ['[1] 张三. 图像处理手册. 北京, 2019.', '[2] 李四. 文档格式导论. 上海, 2020.', '[3] 王五. 压缩方法. 广州, 2021.']
    expect(await taken(markedLines(body, 60, 780) + note(list, 200))).toEqual([])
    expect(await taken(markedLines(body, 60, 780) + drawn('参考文献', 60, 220, 12) + note(list.slice(0, 1), 200))).toEqual([])
  })

  test('powers, and the number of a page', async () => {
    const body = bodyLines(['房间的面积为二十m{2}以内，另有一间为十m{2}的储藏室在它的旁边'])
    expect(await taken(markedLines(body, 60, 780) + note(['2 号楼的平面图见附件。'], 115))).toEqual([])
    expect(await taken(markedLines(bodyLines(['图片可以压缩到指定大小{3}以内']), 60, 780) + drawn('3', 294, 40, 9))).toEqual([])
  })

  test('small lines that have text below them, or are as large as it', async () => {
    expect(await taken(markedLines(called, 60, 780) + note(['{①}参见手册第三章。'], 400) + markedLines(called.slice(1), 60, 350))).toEqual(
      [],
    )
    expect(await taken(markedLines(called, 60, 780) + note(['{①}参见手册第三章。'], 300, 60, 12))).toEqual([])
  })

  test('a caption under a picture', async () => {
    const picture = 'q 200 0 0 120 150 160 cm BI /W 1 /H 2 /BPC 8 /CS /G ID \u0000\u0080 EI Q\n'
    expect(await taken(markedLines(called, 60, 780) + picture + note(['{①}压缩前后的对比。'], 148))).toEqual([])
  })
})
