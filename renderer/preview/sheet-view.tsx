import { useId, useState, type CSSProperties, type KeyboardEvent } from 'react'
import type { CellLook, Grid, GridCell } from './read-xlsx.ts'
import css from './sheet-view.module.css'
import { pt } from './units.ts'
import { words } from '../words.ts'

/** A column's letters, from 0. */
function letters(column: number): string {
  const letter = String.fromCodePoint(65 + (column % 26))
  return column < 26 ? letter : letters(Math.floor(column / 26) - 1) + letter
}

const LINE = '1px solid #98a2b3'

function cellStyle(
  { isBold, isItalic, colour, size, fill, align, vertical, isWrapped, hasBorder }: CellLook,
  isNumber: boolean,
): CSSProperties {
  const [top, right, bottom, left] = hasBorder
  return {
    fontSize: pt(Math.min(size, 28)),
    textAlign: align ?? (isNumber ? 'right' : 'left'),
    verticalAlign: vertical,
    whiteSpace: isWrapped ? 'pre-wrap' : 'pre',
    ...(isBold && { fontWeight: 700 }),
    ...(isItalic && { fontStyle: 'italic' }),
    ...(colour !== undefined && { color: colour }),
    ...(fill !== undefined && { background: fill }),
    ...(top && { borderTop: LINE }),
    ...(right && { borderRight: LINE }),
    ...(bottom && { borderBottom: LINE }),
    ...(left && { borderLeft: LINE }),
  }
}

/** What stands in a row's places: cells, and empty places where no cell reaches. */
function placesOf(grid: Grid): readonly (readonly (GridCell | number)[])[] {
  const taken = new Map<number, number>()
  return grid.rows.map(({ cells }, row) => {
    const byColumn = new Map(cells.map((cell) => [cell.column, cell]))
    const places: (GridCell | number)[] = []
    for (let column = 0; column < grid.widths.length; column++) {
      if ((taken.get(column) ?? 0) > row) continue
      const cell = byColumn.get(column)
      places.push(cell ?? column)
      if (!cell) continue
      for (let covered = column; covered < column + cell.columns; covered++) taken.set(covered, row + cell.rows)
      column += cell.columns - 1
    }
    return places
  })
}

function GridView({ grid }: { readonly grid: Grid }) {
  const { name, widths, rows, moreRows, moreColumns } = grid
  const places = placesOf(grid)
  return (
    <div className={css['frame']} tabIndex={0} role="region" aria-label={`工作表 ${name}`}>
      <table className={css['grid']} style={{ width: `calc(${pt(widths.reduce((sum, one) => sum + one, 0))} + 40px)` }}>
        <colgroup>
          <col style={{ width: 40 }} />
          {widths.map((width, n) => (
            <col key={n} style={{ width: pt(width) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <td />
            {widths.map((_, column) => (
              <th key={column} scope="col">
                {letters(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ height }, row) => (
            <tr key={row} style={{ height: pt(height) }}>
              <th scope="row">{row + 1}</th>
              {places[row]?.map((place) =>
                typeof place === 'number' ? (
                  <td key={place} />
                ) : (
                  <td key={place.column} colSpan={place.columns} rowSpan={place.rows} style={cellStyle(place.look, place.isNumber)}>
                    {place.text}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {(moreRows > 0 || moreColumns > 0) && (
        <p
          className={css['more']}
        >{`还有 ${[moreRows > 0 && `${moreRows} 行`, moreColumns > 0 && `${moreColumns} 列`].filter(Boolean).join('、')}，${words.preview.more}`}</p>
      )}
    </div>
  )
}

/** A workbook's sheets, one at a time, with the tabs under them as Excel has them. */
export function SheetsView({ grids }: { readonly grids: readonly Grid[] }) {
  const id = useId()
  const [shown, show] = useState(0)
  const grid = grids[shown]
  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const next = Math.max(0, Math.min(grids.length - 1, shown + step))
    show(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className={css['book']}>
      <div className={css['panel']} id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown}`}>
        {grid && <GridView key={shown} grid={grid} />}
      </div>
      <div className={css['tabs']} role="tablist" aria-label="工作表" onKeyDown={walk}>
        {grids.map(({ name }, n) => (
          <button
            key={n}
            id={`${id}-${n}`}
            type="button"
            role="tab"
            aria-selected={n === shown}
            aria-controls={`${id}-panel`}
            tabIndex={n === shown ? 0 : -1}
            onClick={() => show(n)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}
