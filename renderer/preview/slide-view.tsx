import type { CSSProperties } from 'react'
import { fontFamily } from './fonts.ts'
import type { PictureAddresses } from './pictures.ts'
import type { Slides, SlideParagraph, SlideRun, SlideText, SlideThing } from './read-pptx.ts'
import css from './slide-view.module.css'
import { pt } from './units.ts'

const runStyle = ({ size, isBold, isItalic, isUnderlined, colour, font }: SlideRun): CSSProperties => ({
  fontSize: pt(size),
  fontFamily: fontFamily(font === undefined ? [] : [font]),
  ...(isBold && { fontWeight: 700 }),
  ...(isItalic && { fontStyle: 'italic' }),
  ...(isUnderlined && { textDecoration: 'underline' }),
  ...(colour !== undefined && { color: colour }),
})

/** A slide's lines stand as far apart as its program sets them: 1.2 times the letters' size. */
const USUAL_LINE = 1.2

const paragraphStyle = ({ align, line, left, first, stop }: SlideParagraph): CSSProperties => ({
  textAlign: align,
  paddingLeft: pt(left),
  textIndent: pt(first),
  ...(stop !== undefined && stop > left && { tabSize: pt(stop - left) }),
  lineHeight: line === undefined ? USUAL_LINE : 'points' in line ? pt(line.points) : USUAL_LINE * line.part,
})

const DIRECTIONS: Readonly<Record<string, CSSProperties>> = {
  eaVert: { writingMode: 'vertical-rl' },
  vert: { writingMode: 'vertical-rl', textOrientation: 'sideways' },
  vert270: { writingMode: 'vertical-rl', textOrientation: 'sideways', transform: 'rotate(180deg)' },
}

function TextView({ text, className }: { readonly text: SlideText; readonly className: string | undefined }) {
  const { paragraphs, anchor, direction, isWrapped, inset } = text
  const [top, right, bottom, left] = inset
  const style = { justifyContent: anchor, padding: `${pt(top)} ${pt(right)} ${pt(bottom)} ${pt(left)}`, ...DIRECTIONS[direction] }
  return (
    <div className={className} style={{ ...style, whiteSpace: isWrapped ? 'pre-wrap' : 'pre' }}>
      {paragraphs.map((paragraph, n) => (
        <p key={n} style={paragraphStyle(paragraph)}>
          {paragraph.runs.map((run, at) => (
            <span key={at} style={runStyle(run)}>
              {run.text}
            </span>
          ))}
        </p>
      ))}
    </div>
  )
}

type TableContent = Extract<SlideThing['content'], { readonly rows: unknown }>

function TableView({ table: { widths, rows } }: { readonly table: TableContent }) {
  return (
    <table className={css['table']} style={{ width: pt(widths.reduce((sum, one) => sum + one, 0)) }}>
      <colgroup>
        {widths.map((width, n) => (
          <col key={n} style={{ width: pt(width) }} />
        ))}
      </colgroup>
      <tbody>
        {rows.map(({ height, cells }, n) => (
          <tr key={n} style={{ height: pt(height) }}>
            {cells.map(({ columns, rows: high, fill, sides: [top, right, bottom, left], text }, at) => (
              <td
                key={at}
                colSpan={columns}
                rowSpan={high}
                style={{
                  background: fill,
                  borderTop: top,
                  borderRight: right,
                  borderBottom: bottom,
                  borderLeft: left,
                  verticalAlign: { start: 'top', center: 'middle', end: 'bottom' }[text.anchor],
                }}
              >
                <TextView text={text} className={undefined} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ThingView({ thing, pictures }: { readonly thing: SlideThing; readonly pictures: PictureAddresses }) {
  const { left, top, width, height, turn, fill, line, content } = thing
  const style = {
    left: pt(left),
    top: pt(top),
    width: pt(width),
    height: pt(height),
    ...(turn !== 0 && { transform: `rotate(${turn}deg)` }),
    ...(fill !== undefined && { background: fill }),
    ...(line !== undefined && { border: line }),
  }
  if ('path' in content) return <img className={css['thing']} style={style} src={pictures.of(content.path)} alt="" />
  return (
    <div className={css['thing']} style={style}>
      {'text' in content ? <TextView text={content.text} className={css['text']} /> : <TableView table={content} />}
    </div>
  )
}

/** A slide at its own size; whoever shows it scales it. */
export function SlideView({
  slides: { width, height, slides },
  at,
  pictures,
}: {
  readonly slides: Slides
  readonly at: number
  readonly pictures: PictureAddresses
}) {
  return (
    <section className={css['slide']} style={{ width: pt(width), height: pt(height) }} aria-label={`第 ${at + 1} 页`}>
      {slides[at]?.map((thing, n) => (
        <ThingView key={n} thing={thing} pictures={pictures} />
      ))}
    </section>
  )
}
