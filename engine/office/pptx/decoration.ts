import { seenOutline } from './shape.ts'
import type { Box, Line, PageLayout, Paragraph, Table, TableCell } from '#engine/document/document-model'
import { areaOf, isEmpty, overlap } from '#engine/pdf/box'
import { boundsOf, boundsOfBox, boxOfBounds, isWithin, segments, type Bounds, type Outline } from '#engine/pdf/outline'
import type { PageModel, StoredPicture } from '#engine/pdf/page-model'
import type { Painted, PaintedPath } from '#engine/pdf/painted'

/** From so many paths on, those that are painted alike one after the other become one shape: slides of thousands of shapes open slowly. */
const MANY = 200
/** A shape of more outlines than this is none that anybody edits, and no program likes it. */
const MOST_OUTLINES = 4000
/** How far beyond a table its borders reach, in points. */
const BORDER = 3

/** Whether an outline has no other lines than along the axes, as borders and fills of cells do. */
function isRuled(outline: Outline): boolean {
  let [lastX, lastY] = [0, 0]
  return segments(outline, (code, points) => {
    const [x = lastX, y = lastY] = points
    const isStraight = code === 0 || code === 4 || (code === 1 && (Math.abs(x - lastX) < 0.5 || Math.abs(y - lastY) < 0.5))
    ;[lastX, lastY] = [x, y]
    return isStraight
  }).every(Boolean)
}

/** The lines of text whose style tells of something under or through them. */
const markedLines = (paragraphs: readonly Paragraph[]): readonly Line[] =>
  paragraphs.flatMap(({ lines }) => lines.filter(({ runs }) => runs.some(({ style }) => style.isUnderlined || style.isStruck)))

/** Whether a thin path underlines or strikes out letters, whose style says so already. */
function isOfText([left, top, right, bottom]: Bounds, marked: readonly Line[]): boolean {
  if (bottom - top > 3) return false
  return marked.some((line) => left >= line.left - 3 && right <= line.right + 3 && top >= line.top - 2 && bottom <= line.bottom + 4)
}

/** How a format draws what is painted. */
export interface Draughtsman {
  readonly shape: (outlines: readonly Outline[], paint: PaintedPath) => string
  readonly picture: (box: Box, picture: StoredPicture) => string
}

/** What is painted on a page beside its text, under its tables or over them, and the tables' cells whose grounds are painted under them. */
export interface Decoration {
  readonly under: readonly string[]
  readonly over: readonly string[]
  readonly bare: ReadonlySet<TableCell>
}

interface Path {
  readonly outline: Outline
  readonly paint: PaintedPath
}

const inkKey = ({ fill, stroke }: PaintedPath): string => JSON.stringify([fill, stroke])

/** Collects what is painted, in its order. */
class Layer {
  readonly shapes: string[] = []
  readonly #draw: Draughtsman
  readonly #joins: boolean
  #waiting: Path[] = []
  #key = ''

  constructor(draw: Draughtsman, joins: boolean) {
    this.#draw = draw
    this.#joins = joins
  }

  path(outline: Outline, paint: PaintedPath): void {
    const key = inkKey(paint)
    if (!this.#joins || key !== this.#key || this.#waiting.length >= MOST_OUTLINES) this.flush()
    this.#key = key
    this.#waiting.push({ outline, paint })
  }

  /** What is drawn later lies higher, so what waits is drawn first. */
  add(draw: () => string): void {
    this.flush()
    this.shapes.push(draw())
  }

  flush(): void {
    const [first] = this.#waiting
    if (first)
      this.shapes.push(
        this.#draw.shape(
          this.#waiting.map(({ outline }) => outline),
          first.paint,
        ),
      )
    this.#waiting = []
  }
}

/** White on an empty page is nothing. */
const isPaper = ({ fill, stroke }: PaintedPath, bounds: Bounds, { width, height }: Page): boolean =>
  fill?.colour === '#ffffff' && !stroke && bounds[2] - bounds[0] > 0.95 * width && bounds[3] - bounds[1] > 0.95 * height

type Page = Pick<PageModel, 'width' | 'height' | 'painted'>

interface Surroundings {
  readonly tables: readonly Table[]
  readonly paragraphs: readonly Paragraph[]
}

/** Cells whose ground is a gradient or a pattern that a part of the page shows: about all of each of them. */
function groundsIn(shown: Box, tables: readonly Table[]): readonly TableCell[] {
  return tables.flatMap(({ cells, columns, rows }) =>
    cells.filter(({ isPatterned, firstColumn, lastColumn, firstRow, lastRow }) => {
      if (!isPatterned) return false
      const cell = {
        left: columns[firstColumn] ?? 0,
        right: columns[lastColumn + 1] ?? 0,
        top: rows[firstRow] ?? 0,
        bottom: rows[lastRow + 1] ?? 0,
      }
      const seen = overlap(cell, shown)
      return !isEmpty(seen) && areaOf(seen) > 0.7 * areaOf(cell)
    }),
  )
}

/** What is not drawn, since it is there otherwise: tables' borders, and lines along text. */
interface Told {
  readonly tables: readonly Table[]
  readonly marked: readonly Line[]
  readonly bare: Set<TableCell>
}

function addPath(path: PaintedPath, page: Page, { tables, marked, bare }: Told, layers: { under: Layer; over: Layer }): void {
  const outline = seenOutline(path)
  const bounds = outline && boundsOf(outline)
  if (!outline || !bounds || (!path.fill && !path.stroke) || isOfText(bounds, marked)) return
  if (layers.under.shapes.length === 0 && isPaper(path, bounds, page)) return
  const table = tables.find((one) => isWithin(bounds, boundsOfBox(one), BORDER))
  const grounds = table && path.fill?.gradient ? groundsIn(boxOfBounds(bounds), [table]) : []
  for (const cell of grounds) bare.add(cell)
  if (table && grounds.length === 0 && isRuled(outline)) return
  const layer = table && grounds.length === 0 ? layers.over : layers.under
  layer.path(outline, path)
}

/** Everything on a page that is neither text nor table, in the order in which it is painted. */
export function decorationOf(
  page: Page,
  { tables, paragraphs }: Surroundings,
  pictures: PageLayout['pictures'],
  draw: Draughtsman,
): Decoration {
  const painted: readonly Painted[] = page.painted ?? []
  const joins = painted.filter(({ kind }) => kind === 'path').length > MANY
  const layers = { under: new Layer(draw, joins), over: new Layer(draw, joins) }
  if (!page.painted) for (const { picture, ...box } of pictures) layers.under.add(() => draw.picture(box, picture))
  const told = { tables, marked: markedLines(paragraphs), bare: new Set<TableCell>() }
  for (const one of painted) {
    if (one.kind === 'path') addPath(one, page, told, layers)
    if (one.kind === 'picture' && one.image.picture) {
      const { image } = one
      const { picture } = one.image
      const grounds = groundsIn(image, tables)
      for (const cell of grounds) told.bare.add(cell)
      const isOver = grounds.length === 0 && tables.some((table) => isWithin(boundsOfBox(image), boundsOfBox(table), BORDER))
      const layer = isOver ? layers.over : layers.under
      layer.add(() => draw.picture(image, picture))
    }
  }
  layers.under.flush()
  layers.over.flush()
  return { under: layers.under.shapes, over: layers.over.shapes, bare: told.bare }
}
