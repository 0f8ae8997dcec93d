import { createHash } from 'node:crypto'
import { element } from '../office/xml.ts'
import type { FontProgram } from '../pdf/font-program.ts'
import type { PdfFont } from '../pdf/page-model.ts'
import type { ZipFile } from '../zip-file.ts'
import { subsetOf } from './font-subset.ts'
import type { WrittenGlyph } from './text-runs.ts'

/** Readers look for named fonts among the system's by these names. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(Arial|Helvetica)/i, 'Arial'],
  [/^(Times|TimesNewRoman)/i, 'Times New Roman'],
  [/^Courier/i, 'Courier New'],
  [/^(SimSun|NSimSun|STSong|SongTi|MSung|AdobeSongStd|FZSong|宋体|新宋体)/i, '宋体'],
  [/^(SimHei|STHei|STXihei|HeiTi|MHei|AdobeHeitiStd|FZHei|黑体)/i, '黑体'],
  [/^(KaiTi|SimKai|STKai|AdobeKaitiStd|FZKai|楷体)/i, '楷体'],
  [/^(FangSong|SimFang|STFangsong|AdobeFangsongStd|FZFang|仿宋)/i, '仿宋'],
  [/^(MicrosoftYaHei|微软雅黑)/i, '微软雅黑'],
]

/** The family of a font that is only named; its own name where that is no known one. */
function familyOf({ name, isMonospace, isSerif }: PdfFont): string {
  const known = FAMILIES.find(([pattern]) => pattern.test(name.replaceAll(/[\s_-]/g, '')))?.[1]
  if (known !== undefined) return known
  return name !== '' ? name : isMonospace ? 'Courier New' : isSerif ? 'Times New Roman' : 'Arial'
}

const flag = (isSet: boolean): string | undefined => (isSet ? 'true' : undefined)

/** The fonts of a package: each is there once, however many pages use it. */
export class FontResources {
  readonly #zip: ZipFile
  readonly #folder: string
  readonly #nextId: () => number
  readonly #ids = new WeakMap<FontProgram, number>()
  readonly #byKey = new Map<string, number>()
  readonly #embedded = new Map<number, { readonly program: FontProgram; readonly path: string; readonly used: Set<number> }>()
  readonly #elements: string[] = []

  constructor(zip: ZipFile, folder: string, nextId: () => number) {
    this.#zip = zip
    this.#folder = folder
    this.#nextId = nextId
  }

  /** A font's id. */
  idOf(font: PdfFont, program: FontProgram | undefined): number {
    if (!program) return this.#keep(`name ${font.name} ${font.isBold} ${font.isItalic}`, font, undefined)
    const known = this.#ids.get(program)
    if (known !== undefined) return known
    // pdf.js makes the same font anew where pages hold it apart.
    const id = this.#keep(createHash('sha256').update(program.bytes).digest('hex'), font, program)
    this.#ids.set(program, id)
    return id
  }

  #keep(key: string, font: PdfFont, program: FontProgram | undefined): number {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const id = this.#nextId()
    this.#byKey.set(key, id)
    const file = program && `font_${id}.${program.extension}`
    if (program) this.#embedded.set(id, { program, path: `${this.#folder}/${file}`, used: new Set([0]) })
    this.#elements.push(
      element(
        'ofd:Font',
        {
          ID: id,
          FontName: program ? font.name || `Font${id}` : familyOf(font),
          FamilyName: program ? undefined : familyOf(font),
          Italic: flag(font.isItalic),
          Bold: flag(font.isBold),
          Serif: flag(font.isSerif),
          FixedWidth: flag(font.isMonospace),
        },
        file && element('ofd:FontFile', {}, file),
      ),
    )
    return id
  }

  /** Notes what a font is used for. */
  use(id: number, glyphs: readonly WrittenGlyph[]): void {
    const used = this.#embedded.get(id)?.used
    for (const { code } of glyphs) if (code !== undefined) used?.add(code)
  }

  /** Writes the fonts' files, and answers all of them as a part of the resources; undefined where there are none. */
  close(): string | undefined {
    for (const { program, path, used } of this.#embedded.values()) this.#zip.packed(path, subsetOf(program, used))
    return this.#elements.length > 0 ? element('ofd:Fonts', {}, ...this.#elements) : undefined
  }
}
