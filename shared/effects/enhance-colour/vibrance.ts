import type { Gains } from './balance.ts'
import type { Rgb } from '../effect.ts'
import { emptyLab, LINEAR, putLight, type Lab } from '../math/lab.ts'

/** The chroma of Lab of a picture that needs no more, on average, and what the dullest coloured one gets. */
const LIVELY = 38
const MOST = 0.42
const LEAST = 0.06
/** The mean chroma below which a picture is grey: what little colour there is, is noise or toning. */
const GREY = 1.5
/** Where a colour is full, and where it is still next to grey. */
const FULL = 75
const NEAR_GREY = 4
/** Hues of skin (CIE Lab, in radians: about 20 to 75 degrees) and how little of the effect they get. */
const SKIN = { hue: 0.83, width: 0.42, spared: 0.7 }

/** How much livelier a picture's colours should get: a dull one's more; 0 for a grey one. */
export function vibranceFor({ data }: Rgb, gains: Gains): number {
  const step = 3 * Math.max(1, Math.floor(data.length / 3 / 5e4))
  const lab = emptyLab(1)
  let [sum, count] = [0, 0]
  const light = (at: number, gain: number): number => Math.min(1, (LINEAR[data[at] ?? 0] ?? 0) * gain)
  for (let at = 0; at < data.length; at += step, count++) {
    putLight(lab, 0, light(at, gains[0]), light(at + 1, gains[1]), light(at + 2, gains[2]))
    sum += Math.hypot(lab.a[0] ?? 0, lab.b[0] ?? 0)
  }
  const mean = sum / count
  return mean < GREY ? 0 : Math.max(LEAST, MOST * (1 - mean / LIVELY))
}

/** Makes colours livelier in place: dull ones more than full ones, skin little, grey not at all. */
export function livelier({ a, b }: Lab, vibrance: number): void {
  if (vibrance === 0) return
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    const chroma = Math.sqrt(x * x + y * y)
    const room = Math.max(0, 1 - chroma / FULL) * (chroma / (chroma + NEAR_GREY))
    const away = (Math.atan2(y, x) - SKIN.hue) / SKIN.width
    const gain = 1 + vibrance * room * (1 - SKIN.spared * Math.exp(-away * away))
    a[at] = x * gain
    b[at] = y * gain
  }
}
