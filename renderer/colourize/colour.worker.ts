import type { ColourParts } from './colour-parts.ts'
import { decode, paintable, rgbOf } from '../effects/pixels.ts'
import { rasterSize, reduced } from '../effects/raster.ts'
import type { PaintedTile } from '../effects/effect.worker.ts'
import { chromaSize, decodeChroma, greyOf, type Chroma, type Grey } from '#shared/effects/colourize/chroma'
import { withHints } from '#shared/effects/colourize/hints'
import { chromaStrength, paintChroma, paintReach } from '#shared/effects/colourize/paint'
import { smallGrey } from '#shared/effects/colourize/upsample'
import type { Rgb } from '#shared/effects/effect'
import { applyTo, stripsOf } from '#shared/effects/parts'
import type { Hint } from '#shared/hints'
import type { Size } from '#shared/resize'
import type { OptionsOf } from '#shared/tools/index'

/** What decides on the colours of a photo. */
export interface Colours {
  readonly hints: readonly Hint[]
  readonly strength: OptionsOf<'colourize'>['strength']
}

/** What the worker is asked for; of several colours that wait only the last are shown. */
export type Request = { readonly kind: 'open'; readonly parts: ColourParts } | { readonly kind: 'show'; readonly colours: Colours }

/** What it has to say. */
export type News =
  | { readonly kind: 'opened'; readonly size: Size }
  | { readonly kind: 'failed' }
  /** `isDraft`: all of the photo, smaller than it is. */
  | { readonly kind: 'tile'; readonly tile: PaintedTile; readonly isDraft: boolean }
  | { readonly kind: 'shown' }

type Painted = Pick<News & { readonly kind: 'tile' }, 'tile' | 'isDraft'>

interface Opened {
  readonly picture: Rgb
  /** A smaller copy: what it looks like in colour is seen at once. */
  readonly small: Rgb
  readonly light: Grey
  readonly chroma: Chroma | undefined
}

let opened: Opened | undefined
let wanted: Colours | undefined
/** The colours as hints leave them; they cost the most, and a strength changes nothing of them. */
let hinted: { readonly hints: string; readonly chroma: Chroma } | undefined
let steps: Generator<Painted> | undefined
let isPlanned = false

const tell = (news: News, moved: Transferable[] = []): void => self.postMessage(news, { transfer: moved })

async function open({ source, chroma: file }: ColourParts): Promise<void> {
  const { picture } = await decode(source)
  // Numbers, no colours: no profile and no alpha may touch them.
  const bitmap = file && (await createImageBitmap(file, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' }))
  const chroma = bitmap && decodeChroma(rgbOf(bitmap))
  const { width, height } = picture
  const light = smallGrey(greyOf(picture), chroma ?? chromaSize(picture))
  // No smaller than its chroma.
  const perPixel = Math.max(1, Math.min(DRAFT_PER_PIXEL, Math.floor((10 * width) / light.width) / 10))
  const small = reduced(picture, { left: 0, top: 0, ...rasterSize(picture, perPixel) }, picture, perPixel)
  opened = { picture, small, chroma, light }
  tell({ kind: 'opened', size: { width, height } })
  plan()
}

function* painted({ picture, small, light, chroma }: Opened, { hints, strength }: Colours): Generator<Painted> {
  const text = JSON.stringify(hints)
  if (hinted?.hints !== text) hinted = { hints: text, chroma: withHints(light, chroma, hints) }
  const found = hinted.chroma
  const share = chromaStrength(strength)
  const draft = { ...small, data: paintChroma(small, found, share, { left: 0, top: 0, whole: small }) }
  yield { tile: { left: 0, top: 0, width: small.width, height: small.height, pixels: paintable(draft) }, isDraft: true }
  const effect = {
    measure: () => undefined,
    reach: () => paintReach(found, picture),
    apply: (part: Rgb, amount: number, place: Parameters<typeof paintChroma>[3]) => paintChroma(part, found, amount, place),
  }
  for (const strip of stripsOf({ ...picture, width: picture.width * STRIPS })) {
    const rows = { ...strip, width: picture.width }
    yield { tile: { ...rows, pixels: paintable(applyTo(effect, picture, share, rows)) }, isDraft: false }
  }
}

/** How much smaller a draft is, at most. */
const DRAFT_PER_PIXEL = 3
/** A strip is as many times smaller than the engine's: somebody waits for each. */
const STRIPS = 6

function step(): void {
  isPlanned = false
  if (!opened) return
  if (wanted) {
    steps = painted(opened, wanted)
    wanted = undefined
  }
  const next = steps?.next()
  if (!next) return
  if (next.done === true) {
    steps = undefined
    return tell({ kind: 'shown' })
  }
  tell({ kind: 'tile', ...next.value }, [next.value.tile.pixels.buffer])
  plan()
}

function plan(): void {
  if (isPlanned) return
  isPlanned = true
  setTimeout(() => {
    try {
      step()
    } catch {
      tell({ kind: 'failed' })
    }
  })
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'open') {
    open(data.parts).catch(() => tell({ kind: 'failed' }))
    return
  }
  wanted = data.colours
  plan()
})
