import { identity, type Matrix } from './matrix.ts'
import type { PdfFont } from './page-model.ts'
import type { Clip, Gradient, Pen } from './painted.ts'
import { pageClip } from './clip.ts'

/** What stands for a colour: colours that run into each other along a line, or what only a renderer can draw: tiles, meshes. */
export type Pattern = { readonly gradient: Gradient } | { readonly kind: string }

/** PDF's graphics and text state (ISO 32000-1 §8.4, §9.3), as far as text, rules and pictures need it. */
export interface GraphicsState {
  /** From user space to the page as it is seen. */
  map: Matrix
  /** Where patterns count from: the same of the page, or of the form that is being painted. */
  base: Matrix
  clip: Clip
  fill: string
  stroke: string
  lineWidth: number
  fillPattern: Pattern | undefined
  strokePattern: Pattern | undefined
  fillOpacity: number
  strokeOpacity: number
  /** Of the transparency groups that are being painted. */
  groupOpacity: number
  blendMode: string
  /** What is painted shows through a soft mask. */
  isMasked: boolean
  cap: Pen['cap']
  join: Pen['join']
  miterLimit: number
  dashes: readonly number[]
  dashPhase: number
  font: PdfFont | undefined
  /** The same as pdf.js hands it over. */
  loadedFont: unknown
  size: number
  characterSpacing: number
  wordSpacing: number
  horizontalScale: number
  leading: number
  rise: number
  mode: number
}

/** The state a page begins with. */
export const initialState = (map: Matrix, width: number, height: number): GraphicsState => ({
  map,
  base: map,
  clip: pageClip(width, height),
  fill: '#000000',
  stroke: '#000000',
  lineWidth: 1,
  fillPattern: undefined,
  strokePattern: undefined,
  fillOpacity: 1,
  strokeOpacity: 1,
  groupOpacity: 1,
  blendMode: 'source-over',
  isMasked: false,
  cap: 'butt',
  join: 'miter',
  miterLimit: 10,
  dashes: [],
  dashPhase: 0,
  font: undefined,
  loadedFont: undefined,
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

/** Where a pattern stands for a colour. */
export const PATTERN = '#808080'

/** A colour as pdf.js tells it, `#rrggbb`. */
export const colourOf = (value: unknown): string => (typeof value === 'string' && value.startsWith('#') ? value : '#000000')
