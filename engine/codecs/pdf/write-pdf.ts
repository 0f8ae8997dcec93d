/** One picture that fills a page. */
export interface PdfPage {
  /** A baseline or progressive JPEG of grey or RGB samples. */
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
  readonly isGrey: boolean
  /** Pixels an inch, which gives the page its size. */
  readonly dpi: number
}

/** PDF 1.7 annex C: the longest side of a page, in points. */
const MAX_SIDE_PT = 14_400
const POINTS_PER_INCH = 72

const object = (id: number, body: string): Buffer => Buffer.from(`${id} 0 obj\n${body}\nendobj\n`, 'latin1')

const stream = (id: number, dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${id} 0 obj\n<<${dictionary}/Length ${data.length}>>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream\nendobj\n', 'latin1'),
  ])

/** A PDF file (ISO 32000-1) of one picture a page, each as large as its resolution says; the JPEG data goes in as it is. */
export function writePdf(pages: readonly PdfPage[]): Buffer {
  const kids = pages.map((_, index) => `${3 + index * 3} 0 R`).join(' ')
  const objects = [object(1, '<</Type/Catalog/Pages 2 0 R>>'), object(2, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`)]
  pages.forEach(({ jpeg, width, height, isGrey, dpi }, index) => {
    const [page, content, image] = [3 + index * 3, 4 + index * 3, 5 + index * 3]
    const scale = Math.min(POINTS_PER_INCH / dpi, MAX_SIDE_PT / Math.max(width, height))
    const [w, h] = [(width * scale).toFixed(2), (height * scale).toFixed(2)]
    objects.push(
      object(page, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${w} ${h}]/Contents ${content} 0 R/Resources<</XObject<</P ${image} 0 R>>>>>>`),
      stream(content, '', Buffer.from(`q ${w} 0 0 ${h} 0 0 cm /P Do Q`, 'latin1')),
      stream(
        image,
        `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/${isGrey ? 'DeviceGray' : 'DeviceRGB'}/Filter/DCTDecode`,
        jpeg,
      ),
    )
  })
  const header = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')
  let at = header.length
  const offsets = objects.map(({ length }) => (at += length) - length)
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const trailer = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([header, ...objects, Buffer.from(trailer, 'latin1')])
}
