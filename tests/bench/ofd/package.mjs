import { posix } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'

/**
 * A reader of OFD packages for tests and measures, written from the standard and not from the writer.
 * @typedef {{ name: string, attributes: Record<string, string>, children: Element[], text: string }} Element
 * @typedef {{ path: string, element: Element, box: number[] }} Page
 * @typedef {{ files: Record<string, Uint8Array>, document: string, root: Element, document_: Element, pages: Page[], fonts: Map<string, Resource>, media: Map<string, Resource> }} Package
 * @typedef {{ element: Element, file: string | undefined }} Resource
 */

const ENTITIES = /** @type {Record<string, string>} */ ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })
const unescaped = (/** @type {string} */ text) =>
  text.replace(/&(#x?[\da-f]+|\w+);/gi, (_, /** @type {string} */ name) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.replace('#x', '0x').replace('#', ''))) : (ENTITIES[name] ?? ''),
  )

/** The root element of an XML file without comments, entities of its own or CDATA. Throws where tags do not match. */
export function parseXml(/** @type {string} */ xml) {
  const top = /** @type {Element} */ ({ name: '', attributes: {}, children: [], text: '' })
  const open = [top]
  for (const [, declaration, closing, name, attributes, empty, text] of xml.matchAll(
    /<(\?[^>]*)>|<\/([\w:]+)\s*>|<([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/g,
  )) {
    const current = open.at(-1)
    if (!current) throw new Error('more ends than beginnings')
    if (declaration !== undefined) continue
    if (text !== undefined) current.text += unescaped(text)
    else if (closing !== undefined) {
      if (open.pop()?.name !== closing) throw new Error(`</${closing}> ends nothing`)
    } else {
      const pairs = [...(attributes ?? '').matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescaped(value)])
      const element = { name: name ?? '', attributes: Object.fromEntries(pairs), children: [], text: '' }
      current.children.push(element)
      if (empty === '') open.push(element)
    }
  }
  const [root] = top.children
  if (open.length !== 1 || !root) throw new Error('an element has no end')
  return root
}

/** The first child of that name (without prefix). */
export const child = (/** @type {Element | undefined} */ element, /** @type {string} */ name) =>
  element?.children.find((one) => one.name === `ofd:${name}`)

/** All elements of a tree, each before what is in it. */
export function* within(/** @type {Element} */ element) {
  /** @type {Element[]} */
  const waiting = [element]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    yield next
    waiting.unshift(...next.children)
  }
}

/** Numbers of an array attribute. */
export const numbers = (/** @type {string | undefined} */ value) => (value ?? '').split(/\s+/).filter(Boolean).map(Number)

/** Where a location of a file leads (GB/T 33190 7.1, ST_Loc): from the root, or from the file it stands in. */
export const located = (/** @type {string} */ from, /** @type {string} */ place) =>
  place.startsWith('/') ? place.slice(1) : posix.join(posix.dirname(from), place)

/** Opens a package. */
export function openOfd(/** @type {Uint8Array} */ bytes) {
  const files = unzipSync(bytes)
  const xmlAt = (/** @type {string} */ path) => {
    const file = files[path]
    if (!file) throw new Error(`${path} is missing`)
    return parseXml(strFromU8(file))
  }
  const root = xmlAt('OFD.xml')
  const document = located('OFD.xml', child(child(root, 'DocBody'), 'DocRoot')?.text ?? '')
  const element = xmlAt(document)
  const common = child(element, 'CommonData')
  /** @type {Map<string, Resource>} */
  const fonts = new Map()
  /** @type {Map<string, Resource>} */
  const media = new Map()
  for (const one of common?.children ?? []) {
    if (one.name !== 'ofd:PublicRes' && one.name !== 'ofd:DocumentRes') continue
    const path = located(document, one.text)
    const resources = xmlAt(path)
    const folder = posix.join(posix.dirname(path), resources.attributes['BaseLoc'] ?? '', 'x')
    for (const resource of within(resources)) {
      const file = child(resource, resource.name === 'ofd:Font' ? 'FontFile' : 'MediaFile')?.text
      const kept = { element: resource, file: file === undefined ? undefined : located(folder, file) }
      if (resource.name === 'ofd:Font') fonts.set(resource.attributes['ID'] ?? '', kept)
      if (resource.name === 'ofd:MultiMedia') media.set(resource.attributes['ID'] ?? '', kept)
    }
  }
  const pages = (child(element, 'Pages')?.children ?? []).map((page) => {
    const path = located(document, page.attributes['BaseLoc'] ?? '')
    const content = xmlAt(path)
    const box = child(child(content, 'Area'), 'PhysicalBox') ?? child(child(common, 'PageArea'), 'PhysicalBox')
    return { path, element: content, box: numbers(box?.text) }
  })
  return { files, root, document, element, pages, fonts, media }
}

/** What a page says, object by object. */
export const textOf = (/** @type {Element} */ page) =>
  [...within(page)].flatMap((one) => (one.name === 'ofd:TextCode' ? [one.text] : [])).join('\n')
