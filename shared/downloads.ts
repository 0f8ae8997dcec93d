/** Of a file people made: it is saved, never opened as a page of this site. */
export const downloadHeaders = (name: string, type: string): Readonly<Record<string, string>> => ({
  'content-type': type,
  'content-disposition': contentDisposition(name),
  'content-security-policy': `default-src 'none'; sandbox`,
})

/** `attachment` with the name in ASCII for old readers and in UTF-8 for the others (RFC 6266, RFC 8187). */
export function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** One byte range (RFC 9110 §14); several, or another unit, count as a request for the whole. */
export function rangeOf(header: string | undefined, bytes: number): { from: number; to: number } | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return from > to || from >= bytes ? 'none' : { from, to }
}
