import type { Glyph, PdfFont } from './page-model.ts'

/*
 * Fonts whose Unicode may be wrong though it looks like text: subsets whose map is shifted, shuffled or the same for many glyphs, by accident or
 * against copying. What is doubted is looked at; a wrong doubt costs a few lines' reading and changes nothing.
 */

/** The characters of which two fifths of all Chinese text consists, and a tenth even of tables and lists of names. */
const frequent = new Set(
  '的一是了不在有人这上大来和我个中地为以于他时要就出会可也你对生能而子那得自之年过发后作里用道行所然家种事成方多经去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔画单位项号省县费元项目合同甲乙方填表人签字',
)
const LETTERS_PER_FONT = 60
const FEWEST_FREQUENT = 0.12
/** How often small letters stand in English, in thousandths; in other languages and in pinyin the frequent ones are much the same. */
const usual = new Map(
  Object.entries({ e: 127, t: 91, a: 82, o: 75, i: 70, n: 67, s: 63, h: 61, r: 60, d: 43, l: 40, c: 28, u: 28, m: 24, w: 24 }),
)
const RARE = 10
/** The mean of that over a text: 65 in English, 38 where letters were shuffled. */
const LEAST_USUAL = 48
/** So many codes of one font for the same character are not variants of it. */
const SAME = 4
const SAME_SHARE = 0.3
/** A font's glyphs are of so many kinds, most of them signs that hardly any text has so many of. */
const KINDS = 8
const MOST_KINDS = 0.6
const ODD = /[#$%&*+<=>@[\\\]^_`{|}~\u00a1-\u00bf\u0100-\u024f]/
const FEW = 20

const shareOf = (texts: readonly string[], is: (text: string) => boolean): number => texts.filter(is).length / Math.max(1, texts.length)

function isUnlikely(texts: readonly string[]): boolean {
  const han = texts.filter((text) => /^\p{Script=Han}$/u.test(text))
  const hasKana = texts.some((text) => /[\u3041-\u30fe]/.test(text))
  if (han.length >= LETTERS_PER_FONT && !hasKana && shareOf(han, (text) => frequent.has(text)) < FEWEST_FREQUENT) return true
  const small = texts.filter((text) => /^[a-z]$/.test(text))
  const sum = small.reduce((total, letter) => total + (usual.get(letter) ?? RARE), 0)
  return small.length >= LETTERS_PER_FONT && sum < LEAST_USUAL * small.length
}

/** Whether many glyphs are said to be the same character. */
function isSame(glyphs: readonly Glyph[]): boolean {
  const codes = new Map<string, Set<number>>()
  for (const { text, code = 0 } of glyphs) codes.set(text, (codes.get(text) ?? new Set()).add(code))
  return (
    shareOf(
      glyphs.map(({ text }) => text),
      (text) => (codes.get(text)?.size ?? 0) >= SAME,
    ) >= SAME_SHARE
  )
}

function isOdd(texts: readonly string[]): boolean {
  const kinds = [...new Set(texts)]
  return kinds.length >= KINDS && shareOf(kinds, (text) => ODD.test(text)) >= MOST_KINDS
}

function isDoubtful(glyphs: readonly Glyph[]): boolean {
  const texts = glyphs.map(({ text }) => text)
  return glyphs.length >= FEW && (isUnlikely(texts) || isSame(glyphs) || isOdd(texts))
}

/** The fonts of glyphs whose text is not likely to be what they show. */
export function doubtful(glyphs: readonly Glyph[]): ReadonlySet<PdfFont> {
  const fonts = new Map<PdfFont, Glyph[]>()
  for (const glyph of glyphs) {
    if (glyph.isGarbled) continue
    const own = fonts.get(glyph.font)
    if (own) own.push(glyph)
    else fonts.set(glyph.font, [glyph])
  }
  return new Set([...fonts].filter(([, own]) => isDoubtful(own)).map(([font]) => font))
}
