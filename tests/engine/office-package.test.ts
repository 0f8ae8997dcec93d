import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { createPackage } from '#engine/office/package'
import { writeProperties } from '#engine/office/properties'
import { element, escapedAttribute, escapedText } from '#engine/office/xml'

test('text that XML has no way to hold leaves no trace', () => {
  expect(escapedText('a\u0000\u0007<b>\ud800&\udc00 c\uffff𠀀')).toBe('a&lt;b&gt;&amp; c𠀀')
  expect(escapedAttribute('"\n\u001f<')).toBe('&quot;&#10;&lt;')
  expect(element('a', { b: undefined, c: 0 }, undefined, element('d'))).toBe('<a c="0"><d/></a>')
})

test('a package is read by another reader, its types first, its pictures once and byte for byte', async () => {
  await using folder = await testFolder()
  const picture = { path: join(folder.path, 'photo.jpg'), format: 'jpeg' as const, bytes: 1, width: 60, height: 40 }
  await writeFile(picture.path, await photo(60, 40).jpeg().toBuffer())
  const path = join(folder.path, 'file.docx')
  const office = createPackage(path)
  const part = office.part('word/document.xml', 'application/main+xml')
  office.relations.part('officeDocument', 'word/document.xml')
  const names = [office.media('word/media', picture), office.media('word/media', picture)]
  expect(new Set(names.map((name) => part.relations.part('image', name)))).toEqual(new Set(['rId1']))
  expect(part.relations.address('hyperlink', 'https://a.example/?a=1&b=2')).toBe('rId2')
  writeProperties(office, { title: '说明 <1>', madeAt: new Date(0) })
  const long = '中文'.repeat(100_000)
  part.write('<a>')
  part.write(long)
  part.write('</a>')
  part.end()
  const bytes = office.close()
  const file = await readFile(path)
  expect(file.length).toBe(bytes)
  expect(file.subarray(30, 49).toString()).toBe('[Content_Types].xml')
  const entries = unzipSync(file)
  const text = (name: string): string => strFromU8(entries[name] ?? new Uint8Array())
  expect(text('word/document.xml')).toContain(`<a>${long}</a>`)
  expect(Buffer.from(entries['word/media/image1.jpeg'] ?? []).equals(await readFile(picture.path))).toBe(true)
  expect(text('[Content_Types].xml')).toContain('PartName="/word/document.xml" ContentType="application/main+xml"')
  expect(text('_rels/.rels')).toContain('Target="word/document.xml"')
  expect(text('word/_rels/document.xml.rels')).toMatch(
    /Target="media\/image1.jpeg".*Target="https:\/\/a.example\/\?a=1&amp;b=2" TargetMode="External"/,
  )
  expect(text('docProps/core.xml')).toContain('<dc:title>说明 &lt;1&gt;</dc:title>')
})
