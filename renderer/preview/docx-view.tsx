import { Fragment, type CSSProperties } from 'react'
import css from './docx-view.module.css'
import type { DocxBlock, DocxCell, DocxFloat, DocxPage, DocxParagraph, DocxTable, Inline, Side, TextLook } from './docx-model.ts'
import type { PictureAddresses } from './pictures.ts'
import { fontFamily } from './fonts.ts'
import { pt } from './units.ts'

const lookStyle = ({ fonts, size, isBold, isItalic, isUnderlined, isStruck, colour, fill, script, spacing }: TextLook): CSSProperties => ({
  fontFamily: fontFamily(fonts),
  fontSize: pt(script === undefined ? size : size * 0.65),
  ...(isBold && { fontWeight: 700 }),
  ...(isItalic && { fontStyle: 'italic' }),
  ...((isUnderlined || isStruck) && { textDecoration: `${isUnderlined ? 'underline' : ''} ${isStruck ? 'line-through' : ''}` }),
  ...(colour !== undefined && { color: colour }),
  ...(fill !== undefined && { background: fill }),
  ...(script !== undefined && { verticalAlign: script }),
  ...(spacing !== 0 && { letterSpacing: pt(spacing) }),
})

interface Shown {
  readonly pictures: PictureAddresses
  readonly page: number
}

function InlineView({ inline, pictures, page }: Shown & { readonly inline: Inline }) {
  switch (inline.kind) {
    case 'text':
      return <span style={lookStyle(inline.look)}>{inline.text}</span>
    case 'page-number':
      return <span style={lookStyle(inline.look)}>{page}</span>
    case 'tab':
      return <span className={css['tab']}> </span>
    case 'break':
      return <br />
    case 'picture':
      return <img src={pictures.of(inline.path)} alt="" style={{ width: pt(inline.width), height: pt(inline.height) }} />
  }
}

const paragraphStyle = ({ align, before, after, line, left, right, first, beginsColumn }: DocxParagraph): CSSProperties => ({
  textAlign: align,
  margin: `${pt(before)} ${pt(right)} ${pt(after)} ${pt(left)}`,
  textIndent: pt(first),
  ...(line !== undefined && { lineHeight: pt(line), minHeight: pt(line) }),
  ...(beginsColumn && { breakBefore: 'column' }),
})

/** A line's parts between its tabs, each at its stop; where tabs have none, or the text goes on below, one after the other. */
function Line({ paragraph: { inlines, stops, left, first }, ...shown }: Shown & { readonly paragraph: DocxParagraph }) {
  const tabs = inlines.filter(({ kind }) => kind === 'tab').length
  const own = stops.filter(({ at }) => at > Math.max(0, first) + left)
  if (tabs === 0 || own.length < tabs || first < 0 || inlines.some(({ kind }) => kind === 'break'))
    return inlines.map((inline, n) => <InlineView key={n} inline={inline} {...shown} />)
  const parts: Inline[][] = [[]]
  for (const inline of inlines) {
    if (inline.kind === 'tab') parts.push([])
    else parts.at(-1)?.push(inline)
  }
  return parts.map((part, n) => {
    const { at = 0, align = 'left', hasDots = false } = own[n - 1] ?? {}
    const shift = { left: undefined, center: 'translateX(-50%)', right: 'translateX(-100%)' }[align]
    const texts = part.map((inline, m) => <InlineView key={m} inline={inline} {...shown} />)
    if (n === 0) return <span key={n}>{texts}</span>
    return (
      <Fragment key={n}>
        {hasDots && <span className={css['dots']} style={{ right: `calc(100% - ${pt(at - left)})` }} />}
        <span className={css['stop']} style={{ left: pt(at - left), transform: shift }}>
          {texts}
        </span>
      </Fragment>
    )
  })
}

function ParagraphView({ paragraph, ...shown }: Shown & { readonly paragraph: DocxParagraph }) {
  const { inlines, mark, first, level } = paragraph
  const firstText = inlines.find((one) => one.kind === 'text')
  return (
    <p
      className={css['paragraph']}
      style={paragraphStyle(paragraph)}
      {...(level !== undefined && { role: 'heading', 'aria-level': level })}
    >
      {mark !== undefined && (
        <span
          style={{ ...(firstText && lookStyle(firstText.look)), display: 'inline-block', minWidth: pt(Math.max(0, -first)), textIndent: 0 }}
        >
          {mark}
        </span>
      )}
      <Line {...shown} paragraph={paragraph} />
    </p>
  )
}

const border = (side: Side): string =>
  side ? `${Math.max(0.5, side.width)}pt ${side.isDashed ? 'dashed' : 'solid'} ${side.colour}` : 'none'

function cellStyle({ sides: [top, right, bottom, left], fill, vertical, turn }: DocxCell): CSSProperties {
  return {
    borderTop: border(top),
    borderRight: border(right),
    borderBottom: border(bottom),
    borderLeft: border(left),
    verticalAlign: vertical,
    ...(fill !== undefined && { background: fill }),
    ...(turn !== undefined && { writingMode: 'vertical-rl' }),
  }
}

function TableView({ table, ...shown }: Shown & { readonly table: DocxTable }) {
  const { left, widths, rows } = table
  return (
    <table className={css['table']} style={{ marginLeft: pt(left), width: pt(widths.reduce((sum, one) => sum + one, 0)) }}>
      <colgroup>
        {widths.map((width, n) => (
          <col key={n} style={{ width: pt(width) }} />
        ))}
      </colgroup>
      <tbody>
        {rows.map(({ height, cells }, n) => (
          <tr key={n} style={{ height: pt(height) }}>
            {cells.map((cell, at) => (
              <td key={at} colSpan={cell.columns} rowSpan={cell.rows} style={cellStyle(cell)}>
                <Blocks blocks={cell.blocks} {...shown} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Blocks({ blocks, ...shown }: Shown & { readonly blocks: readonly DocxBlock[] }) {
  return blocks.map((block, n) => (
    <Fragment key={n}>
      {block.kind === 'paragraph' ? <ParagraphView paragraph={block} {...shown} /> : <TableView table={block} {...shown} />}
    </Fragment>
  ))
}

const DIRECTIONS: Readonly<Record<string, CSSProperties>> = {
  eaVert: { writingMode: 'vertical-rl' },
  vert: { writingMode: 'vertical-rl', textOrientation: 'sideways' },
  vert270: { writingMode: 'vertical-rl', textOrientation: 'sideways', transform: 'rotate(180deg)' },
}

function FloatView({ float, ...shown }: Shown & { readonly float: DocxFloat }) {
  const { left, top, width, height, isBehind, content } = float
  const place = { left: pt(left), top: pt(top), width: pt(width), height: pt(height) }
  if ('path' in content)
    return <img className={css['float']} data-behind={isBehind || undefined} style={place} src={shown.pictures.of(content.path)} alt="" />
  const turned = content.isUpsideDown ? { transform: 'rotate(180deg)' } : DIRECTIONS[content.direction]
  return (
    <div className={css['float']} style={{ ...place, ...turned }}>
      <Blocks blocks={content.blocks} {...shown} />
    </div>
  )
}

/** A page of a Word document as white paper of its size, its text where Word would set it. */
export function DocxPageView({ page, pictures }: { readonly page: DocxPage; readonly pictures: PictureAddresses }) {
  const { width, height, margin, header, footer, parts, notes, floats, number } = page
  const shown = { pictures, page: number }
  const sides = { left: pt(margin.left), right: pt(margin.right) }
  return (
    <section className={css['page']} style={{ width: pt(width), minHeight: pt(height) }} aria-label={`第 ${number} 页`}>
      {floats.map((float, n) => (
        <FloatView key={n} float={float} {...shown} />
      ))}
      <div className={css['header']} style={{ ...sides, top: pt(header.from) }}>
        <Blocks blocks={header.blocks} {...shown} />
      </div>
      <div
        className={css['text']}
        style={{ minHeight: pt(height), padding: `${pt(margin.top)} ${pt(margin.right)} ${pt(margin.bottom)} ${pt(margin.left)}` }}
      >
        {parts.map(({ columns, gap, isVertical, blocks }, n) => (
          <div
            key={n}
            className={css['part']}
            style={{
              ...(columns > 1 && { columnCount: columns, columnGap: pt(gap) }),
              ...(isVertical && { writingMode: 'vertical-rl', height: pt(height - margin.top - margin.bottom) }),
            }}
          >
            <Blocks blocks={blocks} {...shown} />
          </div>
        ))}
        {notes.length > 0 && (
          <div className={css['notes']} role="group" aria-label="脚注">
            {notes.map((note, n) => (
              <Blocks key={n} blocks={note} {...shown} />
            ))}
          </div>
        )}
      </div>
      <div className={css['footer']} style={{ ...sides, bottom: pt(footer.from) }}>
        <Blocks blocks={footer.blocks} {...shown} />
      </div>
    </section>
  )
}
