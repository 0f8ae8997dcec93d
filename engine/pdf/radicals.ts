/*
 * Fonts draw a radical and the character that looks the same as one glyph, and programs that write PDFs (Skia, which is Chromium's) name the glyph by the first
 * of its codes: ⻔ where 门 is meant. Nobody finds such a word again.
 */

/** CJK Radicals Supplement (U+2E80…) with the characters they stand for (EquivalentUnifiedIdeograph.txt of Unicode 15). */
const SUPPLEMENT =
  '⺁厂⺃乚⺄乙⺅亻⺆冂⺇几⺉刂⺊卜⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄⺗㣺⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺨犭⺩王⺪疋⺫目⺬示⺭礻⺯糹⺰纟' +
  '⺱罓⺲罒⺳㓁⺵网⺶羊⺷羊⺸羊⺹耂⺺肀⺻聿⺼肉⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门' +
  '⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟'

const supplement = new Map(Array.from(SUPPLEMENT.matchAll(/(.)(.)/gu), ([, sign = '', character = '']) => [sign, character]))

/** Fonts of simplified Chinese by their names: in them ⼾ looks like 户, and a dash is the one of Chinese text whatever it is called. */
const SIMPLIFIED = /CJK ?-?sc|Source ?Han ?(?:Sans|Serif|Mono) ?(?:SC|CN)|Hans|GB(?:K|18030|2312)?(?:$|[-_ ])/i
const OF_SIMPLIFIED = new Map([
  ['⼾', '户'],
  ['戶', '户'],
  ['\u2015', '—'],
  ['\u2012', '–'],
])

const ODD = /[\u2012\u2015\u2e80-\u2fd5\u6236]/g

/** A text with characters where a font has signs that look the same: radicals (⻔ for 门, ⾼ for 高), and dashes of another name. */
export const withoutRadicals = (text: string, fontName: string): string =>
  text.replace(
    ODD,
    (sign) =>
      (SIMPLIFIED.test(fontName) ? OF_SIMPLIFIED.get(sign) : undefined) ??
      supplement.get(sign) ??
      (sign >= '\u2e80' && sign <= '\u2fd5' ? sign.normalize('NFKC') : sign),
  )
