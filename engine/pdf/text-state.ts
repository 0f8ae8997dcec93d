import { nextLine, textStart, type GraphicsState, type TextPlace } from './graphics-state.ts'
import { matrixOf } from './matrix.ts'
import type { OperatorCodes } from './open-pdf.ts'

/** Text state and where text goes on; whether it was such an instruction. */
export function setText(codes: OperatorCodes, code: number, args: readonly unknown[], state: GraphicsState, place: TextPlace): boolean {
  const [first, second] = args.map(Number)
  if (code === codes.beginText) Object.assign(place, textStart())
  else if (code === codes.setTextMatrix) Object.assign(place, textStart(matrixOf(args[0]) ?? matrixOf(args)))
  else if (code === codes.moveText) nextLine(place, first ?? 0, second ?? 0)
  else if (code === codes.setLeadingMoveText) {
    state.leading = second ?? 0
    nextLine(place, first ?? 0, second ?? 0)
  } else if (code === codes.nextLine) nextLine(place, 0, state.leading)
  else if (code === codes.setCharSpacing) state.characterSpacing = first ?? 0
  else if (code === codes.setWordSpacing) state.wordSpacing = first ?? 0
  else if (code === codes.setHScale) state.horizontalScale = (first ?? 100) / 100
  else if (code === codes.setLeading) state.leading = -(first ?? 0)
  else if (code === codes.setTextRise) state.rise = first ?? 0
  else if (code === codes.setTextRenderingMode) state.mode = first ?? 0
  else return false
  return true
}
