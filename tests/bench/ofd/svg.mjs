import { byGlyphs, letterOf } from './glyph-font.mjs'
import { child, numbers } from './package.mjs'

/**
 * Pages of an OFD as SVG: what a reader that follows the standard shows.
 * @typedef {import('./package.mjs').Element} Element
 * @typedef {ReturnType<typeof import('./package.mjs').openOfd>} Package
 */

const PATH_LETTERS = /** @type {Record<string, string>} */ ({ S: 'M', M: 'M', L: 'L', B: 'C', Q: 'Q', A: 'A', C: 'Z' })
const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A path's data in SVG's letters. */
const pathData = (/** @type {string} */ data) => data.replace(/[A-Z]/g, (letter) => PATH_LETTERS[letter] ?? letter)

const colourOf = (/** @type {Element | undefined} */ element, fallback = '0 0 0') =>
  `rgb(${numbers(element?.attributes['Value'] ?? fallback).join(',')})`

class SvgPage {
  #names = 0
  #defs = ''
  /** @type {Package} */ #ofd

  /** Pages may share a document. */ #page

  constructor(/** @type {Package} */ ofd, /** @type {number} */ page) {
    this.#ofd = ofd
    this.#page = page
  }

  /** The value of a fill or stroke, and its opacity. */
  #ink(/** @type {Element | undefined} */ element, /** @type {string} */ name) {
    const alpha = Number(element?.attributes['Alpha'] ?? 255) / 255
    const shade = child(element, 'AxialShd') ?? child(element, 'RadialShd')
    const value = shade ? `url(#${this.#gradient(shade)})` : colourOf(element)
    return ` ${name}="${value}" ${name}-opacity="${alpha}"`
  }

  #gradient(/** @type {Element} */ shade) {
    const id = `g${this.#page}-${(this.#names += 1)}`
    const [x1, y1] = numbers(shade.attributes['StartPoint'])
    const [x2, y2] = numbers(shade.attributes['EndPoint'])
    const extend = Number(shade.attributes['Extend'] ?? 0)
    const segments = shade.children.map((one) => ({ at: Number(one.attributes['Position']), colour: colourOf(child(one, 'Color')) }))
    const stop = (/** @type {number} */ at, /** @type {string} */ colour, seen = 1) =>
      `<stop offset="${at}" stop-color="${colour}" stop-opacity="${seen}"/>`
    const [first, last] = [segments[0], segments.at(-1)]
    const stops =
      ((extend & 1) === 0 && first ? stop(0, first.colour, 0) : '') +
      segments.map(({ at, colour }) => stop(at, colour)).join('') +
      ((extend & 2) === 0 && last ? stop(1, last.colour, 0) : '')
    this.#defs +=
      shade.name === 'ofd:AxialShd'
        ? `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops}</linearGradient>`
        : `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" fx="${x1}" fy="${y1}" fr="${shade.attributes['StartRadius'] ?? 0}" cx="${x2}" cy="${y2}" r="${shade.attributes['EndRadius']}">${stops}</radialGradient>`
    return id
  }

  #text(/** @type {Element} */ object) {
    const { Font: font = '', Size: size = '' } = object.attributes
    const codes = object.children.filter(({ name }) => name === 'ofd:TextCode')
    const glyphs = new Map(
      object.children.flatMap((one) => {
        if (one.name !== 'ofd:CGTransform') return []
        const at = Number(one.attributes['CodePosition'])
        const of = numbers(child(one, 'Glyphs')?.text)
        const count = Number(one.attributes['CodeCount'] ?? 1)
        return Array.from({ length: count }, (_, nth) => /** @type {[number, number | undefined]} */ ([at + nth, of[nth]]))
      }),
    )
    const isFilled = object.attributes['Fill'] !== 'false'
    const isStroked = object.attributes['Stroke'] === 'true'
    const paint =
      (isFilled ? this.#ink(child(object, 'FillColor'), 'fill') : ' fill="none"') +
      (isStroked ? `${this.#ink(child(object, 'StrokeColor'), 'stroke')} stroke-width="${object.attributes['LineWidth'] ?? 0.353}"` : '')
    const resource = this.#ofd.fonts.get(font)
    const named = resource?.element.attributes ?? {}
    const family = resource?.file ? `f${font}` : `'${named['FamilyName'] ?? named['FontName']}', 'Noto Sans CJK SC'`
    const look = resource?.file ? '' : `${named['Bold'] ? ' font-weight="bold"' : ''}${named['Italic'] ? ' font-style="italic"' : ''}`
    let letters = ''
    for (const code of codes) {
      let [x, y] = [Number(code.attributes['X']), Number(code.attributes['Y'])]
      const [dx, dy] = [numbers(code.attributes['DeltaX']), numbers(code.attributes['DeltaY'])]
      const text = resource?.file ? code.text.split('') : [...code.text]
      for (const [at, letter] of text.entries()) {
        const glyph = glyphs.get(at)
        const shown = resource?.file ? (glyph === undefined ? '' : letterOf(glyph)) : letter
        if (shown.trim() !== '') letters += `<text x="${x}" y="${y}">${escaped(shown)}</text>`
        x += dx[at] ?? 0
        y += dy[at] ?? 0
      }
    }
    return `<g font-family="${family}" font-size="${size}"${look}${paint}>${letters}</g>`
  }

  #path(/** @type {Element} */ object) {
    const { LineWidth = 0.353, Cap = 'Butt', Join = 'Miter', MiterLimit = 4.234, DashPattern, DashOffset = 0, Rule } = object.attributes
    const isStroked = object.attributes['Stroke'] !== 'false'
    const isFilled = object.attributes['Fill'] === 'true'
    const pen = `${this.#ink(child(object, 'StrokeColor'), 'stroke')} stroke-width="${LineWidth}" stroke-linecap="${Cap.toLowerCase()}" stroke-linejoin="${Join.toLowerCase()}" stroke-miterlimit="${MiterLimit}"${DashPattern ? ` stroke-dasharray="${DashPattern}" stroke-dashoffset="${DashOffset}"` : ''}`
    const fill = isFilled
      ? `${this.#ink(child(object, 'FillColor'), 'fill')}${Rule === 'Even-Odd' ? ' fill-rule="evenodd"' : ''}`
      : ' fill="none"'
    return `<path d="${pathData(child(object, 'AbbreviatedData')?.text ?? '')}"${fill}${isStroked ? pen : ''}/>`
  }

  #image(/** @type {Element} */ object) {
    const media = this.#ofd.media.get(object.attributes['ResourceID'] ?? '')
    const bytes = media?.file === undefined ? undefined : this.#ofd.files[media.file]
    if (!bytes) return ''
    const type = bytes[0] === 0x89 ? 'png' : 'jpeg'
    return `<image width="1" height="1" preserveAspectRatio="none" href="data:image/${type};base64,${Buffer.from(bytes).toString('base64')}"/>`
  }

  /** What cuts an object: its box, and its clips one within the other. */
  #cut(/** @type {Element} */ object, /** @type {string} */ content) {
    const [, , width, height] = numbers(object.attributes['Boundary'])
    const box = `c${this.#page}-${(this.#names += 1)}`
    this.#defs += `<clipPath id="${box}"><rect width="${width}" height="${height}"/></clipPath>`
    let cut = `<g clip-path="url(#${box})">${content}</g>`
    for (const clip of child(object, 'Clips')?.children ?? []) {
      const id = `c${this.#page}-${(this.#names += 1)}`
      const paths = clip.children.map((area) => {
        const path = child(area, 'Path')
        const [x, y] = numbers(path?.attributes['Boundary'])
        const rule = path?.attributes['Rule'] === 'Even-Odd' ? ' clip-rule="evenodd"' : ''
        return `<path transform="translate(${x} ${y})" d="${pathData(child(path, 'AbbreviatedData')?.text ?? '')}"${rule}/>`
      })
      this.#defs += `<clipPath id="${id}">${paths.join('')}</clipPath>`
      cut = `<g clip-path="url(#${id})">${cut}</g>`
    }
    return cut
  }

  object(/** @type {Element} */ object) {
    const { Boundary, CTM, Visible, Alpha } = object.attributes
    if (Visible === 'false') return ''
    const [left, top] = numbers(Boundary)
    const draw = {
      'ofd:TextObject': () => this.#text(object),
      'ofd:PathObject': () => this.#path(object),
      'ofd:ImageObject': () => this.#image(object),
    }
    const content = Object.hasOwn(draw, object.name) ? draw[/** @type {keyof typeof draw} */ (object.name)]() : ''
    const mapped = CTM ? `<g transform="matrix(${CTM})">${content}</g>` : content
    const opacity = Alpha === undefined ? '' : ` opacity="${Number(Alpha) / 255}"`
    return `<g transform="translate(${left} ${top})"${opacity}>${this.#cut(object, mapped)}</g>`
  }

  get defs() {
    return this.#defs
  }
}

/** A document of one page of an OFD as a browser shows it; a point is a pixel. */
export function pageHtml(/** @type {Package} */ ofd, /** @type {number} */ at) {
  const page = ofd.pages[at]
  if (!page) throw new Error(`no page ${at}`)
  const [, , width = 0, height = 0] = page.box
  const svg = new SvgPage(ofd, at)
  const layers = child(page.element, 'Content')?.children ?? []
  const objects = layers.flatMap((layer) => layer.children.map((object) => svg.object(object))).join('')
  const points = (/** @type {number} */ mm) => (mm * 72) / 25.4
  return `<svg xmlns="http://www.w3.org/2000/svg" style="display:block" width="${points(width)}" height="${points(height)}" viewBox="0 0 ${width} ${height}"><defs>${svg.defs}</defs>${objects}</svg>`
}

/** The style sheet that loads an OFD's fonts under the names that pages use. */
export const fontFaces = (/** @type {Package} */ ofd) =>
  [...ofd.fonts]
    .flatMap(([id, { file }]) => {
      const bytes = file === undefined ? undefined : ofd.files[file]
      return bytes
        ? [`@font-face{font-family:f${id};src:url(data:font/otf;base64,${Buffer.from(byGlyphs(bytes)).toString('base64')})}`]
        : []
    })
    .join('')

/** A page's size in points. */
export const sizeOf = (/** @type {Package} */ ofd, /** @type {number} */ at) =>
  (ofd.pages[at]?.box.slice(2) ?? []).map((mm) => (mm * 72) / 25.4)
