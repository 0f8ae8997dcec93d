import { colourOfLevels } from '../colour.ts'
import { PATTERN } from '../graphics-state.ts'
import type { Fill, PageModel } from '../page-model.ts'
import type { Drawn } from '../raster.ts'

/** A pattern's colour is told by a page drawn as small as this. */
const DPI = 48
/** What stands along a fill's sides is its border, in points. */
const BORDER = 1.5
/** Levels are so many apart: fills alike but for rounding come to one colour. */
const STEP = 4

const isUntold = ({ isPatterned, colour }: Fill): boolean => isPatterned === true && colour === PATTERN

/** What a part of a drawn page comes to; undefined where that is outside of it. */
function colourWithin({ data, width, height, dpi }: Drawn, { left, top, right, bottom }: Fill): string | undefined {
  const scale = dpi / 72
  const [fromX, toX] = [Math.max(0, Math.ceil((left + BORDER) * scale)), Math.min(width, Math.floor((right - BORDER) * scale))]
  const [fromY, toY] = [Math.max(0, Math.ceil((top + BORDER) * scale)), Math.min(height, Math.floor((bottom - BORDER) * scale))]
  if (toX <= fromX || toY <= fromY) return undefined
  const sums = [0, 0, 0]
  for (let y = fromY; y < toY; y++)
    for (let x = fromX; x < toX; x++)
      for (const channel of sums.keys()) sums[channel] = (sums[channel] ?? 0) + (data[4 * (y * width + x) + channel] ?? 0)
  const count = (toX - fromX) * (toY - fromY)
  return colourOfLevels(sums.map((sum) => Math.min(255, STEP * Math.round(sum / count / STEP))))
}

/** A page whose fills of tiles and meshes have the colours that they come to where the page is drawn without its text. */
export async function withPatternColours(page: PageModel, draw: (dpi: number) => Promise<Drawn>): Promise<PageModel> {
  if (!page.fills.some(isUntold)) return page
  const drawn = await draw(DPI)
  return { ...page, fills: page.fills.map((fill) => (isUntold(fill) ? { ...fill, colour: colourWithin(drawn, fill) ?? PATTERN } : fill)) }
}
