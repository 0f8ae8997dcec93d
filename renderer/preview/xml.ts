/** An element with its name as it is written, prefix included. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

interface Growing extends XmlElement {
  readonly children: (XmlElement | string)[]
}

// A start, an end, or what is passed over: comments, instructions, a document type.
const MARKUP = /<(?:!--[\s\S]*?-->|!\[CDATA\[([\s\S]*?)\]\]>|[?!][^>]*>|\/([^\s>]+)\s*>|([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>)/g
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const plain = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? all
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [name, plain(double ?? single ?? '')]))

/**
 * A part of a package as elements; entities beyond XML's own stay as they are written, so nothing is ever expanded or fetched. What Trusted Types
 * guard, the browser's own parser, is not needed for it.
 */
export function parseXml(text: string): XmlElement {
  const root: Growing = { name: '', attributes: {}, children: [] }
  const open: Growing[] = [root]
  let end = 0
  for (const match of text.matchAll(MARKUP)) {
    const [all, data, closed, name, attributes = '', isEmpty] = match
    const top = open.at(-1) ?? root
    if (match.index > end) top.children.push(plain(text.slice(end, match.index)))
    end = match.index + all.length
    if (data !== undefined) top.children.push(data)
    if (closed !== undefined && open.length > 1) open.pop()
    if (name === undefined) continue
    const element: Growing = { name, attributes: attributesOf(attributes), children: [] }
    top.children.push(element)
    if (isEmpty === '') open.push(element)
  }
  return root
}

/** Inner elements, those of a name where one is given. */
export const elements = ({ children }: XmlElement, name?: string): readonly XmlElement[] =>
  children.flatMap((one) => (typeof one === 'string' || (name !== undefined && one.name !== name) ? [] : [one]))

/** The first element on a way of names; undefined where the way ends. */
export function at(from: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  let element = from
  for (const name of names) element = element && elements(element, name)[0]
  return element
}

/** All elements of a name, however deep, in their order. */
export function* every(from: XmlElement, name: string): Generator<XmlElement> {
  for (const one of elements(from)) {
    if (one.name === name) yield one
    yield* every(one, name)
  }
}

/** The text in an element, however deep. */
export const textIn = ({ children }: XmlElement): string => children.map((one) => (typeof one === 'string' ? one : textIn(one))).join('')

/** An attribute as a number; undefined where there is none. */
export function numberOf(element: XmlElement | undefined, name: string): number | undefined {
  const value = Number(element?.attributes[name] ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
