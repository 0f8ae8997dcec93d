import { identity, type Matrix } from './matrix.ts'
import type { PdfFont } from './page-model.ts'

/** PDF's graphics and text state (ISO 32000-1 §8.4, §9.3), as far as text, rules and pictures need it. */
export interface GraphicsState {
  /** From user space to the page as it is seen. */
  map: Matrix
  fill: string
  stroke: string
  lineWidth: number
  fillOpacity: number
  font: PdfFont | undefined
  size: number
  characterSpacing: number
  wordSpacing: number
  horizontalScale: number
  leading: number
  rise: number
  mode: number
}

/** The state a page begins with. */
export const initialState = (map: Matrix): GraphicsState => ({
  map,
  fill: '#000000',
  stroke: '#000000',
  lineWidth: 1,
  fillOpacity: 1,
  font: undefined,
  size: 0,
  characterSpacing: 0,
  wordSpacing: 0,
  horizontalScale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
})

/** Where text goes on within a text object: its matrix, the point it has come to, and where its line began. */
export interface TextPlace {
  matrix: Matrix
  x: number
  y: number
  lineX: number
  lineY: number
}

/** Where a text object begins. */
export const textStart = (matrix: Matrix = identity): TextPlace => ({ matrix, x: 0, y: 0, lineX: 0, lineY: 0 })

/** Goes to a new line, so far from where the last one began. */
export function nextLine(place: TextPlace, dx: number, dy: number): void {
  place.lineX += dx
  place.lineY += dy
  place.x = place.lineX
  place.y = place.lineY
}
