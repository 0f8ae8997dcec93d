import { filledIn } from './fill-in.ts'
import { layoutOf, type Layout } from './layout.ts'
import { laidOut, means, sampled, type Laid } from './planes.ts'
import { coarseness, restored, type Force, type Own } from './restore.ts'
import type { Effect } from '../effect.ts'
import { effortOf } from '../gain.ts'
import type { Plane } from '../math/plane.ts'
import type { OptionsOf } from '#shared/tools/index'

/** How a picture was compressed, and how much of what that did is taken back. */
export interface RepairJpegMeasure extends Layout {
  /** How much more than usual is done, 1 for as much. */
  readonly factor: number
  /** The share of the change that is made, 0..1. */
  readonly share: number
}

/** Coarseness of steps below which nobody sees what they did: about quality 91. */
const UNSEEN = 2.2
/** How much more is done at full strength. */
const MOST = 2.5
/** How far frequencies may move, in halves of their steps (a little less than they may have: Park and Lee 1999), and at full strength. */
const [FREEDOM, MOST_FREEDOM] = [0.7, 2]
/** Chroma: two stages of seven samples and the square they are held in, each sample two pixels, and what decoding spread. */
const REACH = 56

/** The part's own samples in planes at every `across`-th and `down`-th pixel. */
const ownOf = ({ left, top, width, height }: Laid, across: number, down: number): Own => ({
  left: Math.ceil(left / across),
  top: Math.ceil(top / down),
  right: Math.floor((left + width) / across),
  bottom: Math.floor((top + height) / down),
})

/** Both planes of chroma, restored. */
function restoredChroma(laid: Laid, luma: Plane, { chroma, isSure, isGuessed }: RepairJpegMeasure, force: Force): readonly Plane[] {
  if (!chroma) return [laid.blue, laid.red]
  const { steps, across, down } = chroma
  const { freedom: _, ...free } = force
  const own = ownOf(laid, across, down)
  const planes = [laid.blue, laid.red].map((plane) =>
    restored(sampled(plane, across, down), steps, isSure && !isGuessed ? force : free, own, 0),
  )
  return filledIn(planes, luma, means(luma, across, down), across, down)
}

/** Blocks, ringing and bleeding colours of a JPEG taken out, as its own tables say how it was compressed. */
export const repairJpeg: Effect<OptionsOf<'repair-jpeg'>, RepairJpegMeasure> = {
  readsFile: true,
  measure: (picture, { strength }, { jpeg }) => {
    const { share, more } = effortOf(strength)
    if (share === 0) return undefined
    const factor = 1 + (MOST - 1) * more
    const layout = layoutOf(picture, jpeg)
    if (!layout || coarseness(layout.luma) * factor < UNSEEN) return undefined
    return { ...layout, factor, share }
  },
  reach: () => REACH,
  apply: (part, measure, place) => {
    const { factor, share, isSure, luma: steps, origin } = measure
    const laid = laidOut(part, place, origin)
    const freedom = FREEDOM + ((MOST_FREEDOM - FREEDOM) * (factor - 1)) / (MOST - 1)
    const luma = restored(laid.luma, steps, isSure ? { factor, freedom } : { factor }, ownOf(laid, 1, 1), 128)
    const [blue, red] = restoredChroma(laid, luma, measure, { factor, freedom })
    const out = new Uint8ClampedArray(part.data.length)
    for (let y = 0, at = 0; y < part.height; y++) {
      let from = (y + laid.top) * luma.width + laid.left
      for (let x = 0; x < part.width; x++, at += 3, from++) {
        // Changes are added, so that what does not change stays exactly what it was.
        const light = ((luma.data[from] ?? 0) - (laid.luma.data[from] ?? 0)) * share
        const b = ((blue?.data[from] ?? 0) - (laid.blue.data[from] ?? 0)) * share
        const r = ((red?.data[from] ?? 0) - (laid.red.data[from] ?? 0)) * share
        out[at] = (part.data[at] ?? 0) + light + 1.402 * r
        out[at + 1] = (part.data[at + 1] ?? 0) + light - 0.344136 * b - 0.714136 * r
        out[at + 2] = (part.data[at + 2] ?? 0) + light + 1.772 * b
      }
    }
    return new Uint8Array(out.buffer)
  },
}
