/** What stands in an element: text, or further elements by name. */
export type Content = string | number | boolean | readonly Field[]
export type Field = readonly [name: string, content: Content]

export interface Element {
  readonly name: string
  readonly children: Element[]
  text: string
}

const DEEPEST = 8
/** A declaration, a comment, a tag (attributes are passed over) or text; DOCTYPE and CDATA are none of these, hence refused. */
const TOKEN = /<\?xml[^<>]*\?>|<!--[^]*?-->|<(\/?)([A-Za-z][\w.-]*)(?:\s[^<>]*?)?(\/?)>|([^<]+)/y
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const render = ([name, content]: Field): string =>
  `<${name}>${Array.isArray(content) ? content.map((field: Field) => render(field)).join('') : escapeText(String(content))}</${name}>`

export const toXml = (name: string, content: Content): string => `<?xml version="1.0" encoding="UTF-8"?>\n${render([name, content])}`

function unescape(text: string): string | undefined {
  let isSound = true
  const plain = text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));|&/gi,
    (_all, decimal?: string, hex?: string, name?: string) => {
      const point = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      const character = point <= 0x10ffff ? String.fromCodePoint(point) : entities[name ?? '']
      isSound &&= character !== undefined
      return character ?? ''
    },
  )
  return isSound ? plain : undefined
}

/** The root element of a small document, or undefined where it is malformed. Linear in its length. */
export function parseXml(source: string): Element | undefined {
  const document: Element = { name: '', children: [], text: '' }
  const open = [document]
  const token = new RegExp(TOKEN)
  while (token.lastIndex < source.length) {
    const match = token.exec(source)
    const inside = open.at(-1)
    if (!match || !inside) return undefined
    const [, isClosing, name, isEmpty, text] = match
    if (text !== undefined) {
      const plain = unescape(text)
      if (plain === undefined) return undefined
      inside.text += plain
    } else if (isClosing) {
      if (inside.name !== name) return undefined
      open.pop()
    } else if (name !== undefined) {
      const child: Element = { name, children: [], text: '' }
      inside.children.push(child)
      if (!isEmpty) open.push(child)
      if (open.length > DEEPEST) return undefined
    }
  }
  const [root, ...others] = document.children
  return open.length === 1 && others.length === 0 && document.text.trim() === '' ? root : undefined
}

/** The text of an element's only child of a name, trimmed. */
export function textOf(element: Element, name: string): string | undefined {
  const [child, ...others] = element.children.filter((one) => one.name === name)
  return others.length === 0 ? child?.text.trim() : undefined
}
