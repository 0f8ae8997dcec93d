/**
 * What XML 1.0 can't hold even escaped: control characters, the two noncharacters at the end of the plane, and halves of characters (lone
 * surrogates). One of them in a part, and Word and Excel refuse the whole file.
 */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Text as it may stand between tags. */
export const escapedText = (text: string): string => text.replace(FORBIDDEN, '').replace(/[&<>]/g, (one) => ENTITIES[one] ?? '')

/** Text as it may stand between double quotes; line ends and tabs stay what they are. */
export const escapedAttribute = (text: string): string => text.replace(FORBIDDEN, '').replace(/[&<>"\n\r\t]/g, (one) => ENTITIES[one] ?? '')

/** Attributes by their names; those without a value are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/**
 * An element as text. `content` is XML already: text goes through `escapedText` first. Undefined content leaves an empty element, and parts
 * that are undefined are left out, so that what is optional can stand in its place in the order a schema asks for.
 */
export function element(name: string, attributes: Attributes = {}, ...content: readonly (string | undefined)[]): string {
  let tag = `<${name}`
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) tag += ` ${key}="${escapedAttribute(String(value))}"`
  const inside = content.join('')
  return inside === '' ? `${tag}/>` : `${tag}>${inside}</${name}>`
}

/** The first line of every part. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
