import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { bodyLines, markedLines, noteRule } from '../fixtures/noted-pages.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { unzip } from '../fixtures/unzip.ts'
import { wordOf } from '../fixtures/word.ts'

/** A page whose text calls these notes, one after the other. */
function notedPage(notes: readonly string[], { rule = noteRule(60, 130), top = '' } = {}) {
  const marks = notes.map((note) => /\{.*?\}/.exec(note)?.[0] ?? '')
  const body = bodyLines(marks.map((mark, at) => `正文的第${'一二三四'[at]}处说明${mark}写在这里，其后还有一些别的文字`))
  return { content: top + markedLines(body, 60, 780) + rule + markedLines(notes, 60, 115, 9, 13) }
}

const footnotesIn = (parts: ReadonlyMap<string, string>): readonly string[] =>
  [...(parts.get('word/footnotes.xml') ?? '').matchAll(/<w:footnote w:id="[1-9]\d*">.*?<\/w:footnote>/gs)].map(([xml]) =>
    [...xml.matchAll(/<w:t [^>]*>([^<]*)<\/w:t>|<w:(footnoteRef)\/>/g)].map(([, text, own]) => (own ? '#' : text)).join(''),
  )
const numbering = (parts: ReadonlyMap<string, string>): string =>
  /<w:footnotePr>.*?<\/w:footnotePr>/s.exec(parts.get('word/settings.xml') ?? '')?.[0] ?? ''

test("notes are Word's own: called from the text, numbered by Word, parted by its line", async () => {
  const { html, parts, document } = await wordOf(pdfOf([notedPage(['{①}参见手册第三章。', '{②}指网页所用的格式。'])]), { pictures: true })
  expect(html).toContain('第一处说明<sup><a href="#footnote-1" id="footnote-ref-1">[1]</a></sup>写在这里')
  expect(html).toMatch(/<ol><li id="footnote-1"><p>参见手册第三章。 <a href="#footnote-ref-1">↑<\/a><\/p><\/li><li id="footnote-2">/)
  expect(footnotesIn(parts)).toEqual(['#参见手册第三章。', '#指网页所用的格式。'])
  expect(document).toMatch(/<w:rPr><w:rStyle w:val="FootnoteReference"\/>(?:(?!<\/w:r>).)*<\/w:rPr><w:footnoteReference w:id="1"\/>/)
  expect(document).not.toMatch(/①|参见|wps:wsp/)
  expect(parts.get('word/footnotes.xml')).toContain('<w:separator/>')
  expect(numbering(parts)).toContain('<w:numFmt w:val="decimalEnclosedCircle"/><w:footnote w:id="-1"/><w:footnote w:id="0"/>')
  expect(document).toMatch(/<w:sectPr><w:footnotePr><w:numFmt w:val="decimalEnclosedCircle"\/><\/w:footnotePr><w:type/)
})

test('a document without notes has no part for them', async () => {
  const { parts, document } = await wordOf(pdfOf([{ content: drawn('没有注释的一页', 60, 700) }]))
  expect(parts.has('word/footnotes.xml')).toBe(false)
  expect(document + (parts.get('word/settings.xml') ?? '')).not.toContain('footnotePr')
})

test('they count on each page, or through, or keep the marks they have', async () => {
  const each = await wordOf(pdfOf([notedPage(['{1}甲注。', '{2}乙注。']), notedPage(['{1}丙注。'])]))
  expect(numbering(each.parts)).toContain('<w:numFmt w:val="decimal"/><w:numRestart w:val="eachPage"/>')
  expect(footnotesIn(each.parts)).toEqual(['#甲注。', '#乙注。', '#丙注。'])
  const through = await wordOf(pdfOf([notedPage(['{[5]}甲注。', '{[6]}乙注。']), notedPage(['{[7]}丙注。'])]))
  expect(numbering(through.parts)).toContain('<w:numFmt w:val="decimal"/><w:numStart w:val="5"/><w:footnote')
  expect(footnotesIn(through.parts)).toEqual(['[#] 甲注。', '[#] 乙注。', '[#] 丙注。'])
  const own = await wordOf(pdfOf([notedPage(['{*}甲注。', '{†}乙注。'])]))
  expect(own.document).toMatch(/<w:footnoteReference w:customMarkFollows="1" w:id="1"\/><w:t xml:space="preserve">\*<\/w:t>/)
  expect(footnotesIn(own.parts)).toEqual(['*甲注。', '†乙注。'])
})

test('a note that goes on over the page, under a rule as wide as the text, is one', async () => {
  const first = notedPage(['{①}这一条注释很长，它的文字在这一页的末尾还没有说完，要在下一页的页脚才能接着', '把余下的部分'])
  const second = {
    content:
      markedLines(bodyLines(['第二页的正文{②}']), 60, 780) +
      noteRule(60, 150, 400) +
      markedLines(['一并写完。', '{②}下一条注释。'], 60, 135, 9, 13),
  }
  const { parts, document } = await wordOf(pdfOf([first, second]))
  expect(footnotesIn(parts)).toEqual([
    '#这一条注释很长，它的文字在这一页的末尾还没有说完，要在下一页的页脚才能接着把余下的部分一并写完。',
    '#下一条注释。',
  ])
  expect(document).not.toContain('一并写完')
})

test('what looks like the rest of a note that is over stays text', async () => {
  const second = { content: markedLines(bodyLines([]), 60, 780) + noteRule(60, 150) + markedLines(['作者简介一则'], 60, 135, 9) }
  const { parts, html } = await wordOf(pdfOf([notedPage(['{①}说完了的注释。']), second]))
  expect(footnotesIn(parts)).toEqual(['#说完了的注释。'])
  expect(html).toContain('<p>作者简介一则</p>')
})

test('a mark that is called again is written as it was', async () => {
  const page = notedPage(['{①}参见手册第三章。'], { top: '' })
  const { html } = await wordOf(pdfOf([{ content: page.content + markedLines(['最后一段又提到了它{①}，如此而已'], 60, 540) }]))
  expect(html.match(/id="footnote-ref-/g)).toHaveLength(1)
  expect(html).toContain('提到了它<sup>①</sup>')
})

test('slides and sheets have a note once, where it stood', async () => {
  await using folder = await testFolder()
  const pdf = pdfOf([notedPage(['{①}参见手册第三章。'])])
  for (const [tool, path] of [
    ['pdf-to-ppt', 'ppt/slides/slide1.xml'],
    ['pdf-to-excel', 'xl/sharedStrings.xml'],
  ] as const) {
    const [output] = await runTool(tool, folder.path, pdf, tool === 'pdf-to-excel' ? { sheets: 'page' } : {}, '注释.pdf')
    const text = (await unzip(await readFile(output.path))).get(path)?.toString('utf8') ?? ''
    expect(text.split('参见手册第三章').length).toBe(2)
  }
})
