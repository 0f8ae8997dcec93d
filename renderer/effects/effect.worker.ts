import { Preview, type Step } from './preview.ts'
import { decode, paintable, sourceOf } from './pixels.ts'
import type { Window } from './raster.ts'
import type { Options } from '../state/settings.ts'
import { loadEffect, type EffectId } from '#shared/effects/load-effect'
import type { Rect, Size } from '#shared/resize'

/** What the worker is asked for; of several windows that wait only the last is shown. */
export type Request =
  | { readonly kind: 'open'; readonly file: Blob; readonly effect: EffectId }
  /** `number` tells what comes of it from what came of others. */
  | { readonly kind: 'show'; readonly number: number; readonly options: Options; readonly window: Window }

/** What it has to say. */
export type News =
  | { readonly kind: 'opened'; readonly size: Size }
  | { readonly kind: 'failed' }
  | { readonly kind: 'measured'; readonly isNothing: boolean; readonly isLocal: boolean }
  | { readonly kind: 'tile'; readonly number: number; readonly tile: PaintedTile }
  /** All of a window is shown. */
  | { readonly kind: 'shown'; readonly number: number }

/** A part of a window as RGBA. */
export interface PaintedTile extends Rect {
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
}

/** How long nothing may change before what will do for the moment is made exact. */
const PAUSE_MS = 250

type Wanted = Request & { readonly kind: 'show' }

let preview: Preview | undefined
let alphaOf: (tile: Rect, perPixel: number) => ((n: number) => number) | undefined = () => undefined
let wanted: Wanted | undefined
/** What is being made. */
let work: { readonly wanted: Wanted; readonly steps: Generator<Step> } | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const tell = (news: News, moved: Transferable[] = []): void => self.postMessage(news, { transfer: moved })

async function open(file: Blob, id: EffectId): Promise<void> {
  const [effect, decoded] = await Promise.all([loadEffect(id), decode(file)])
  preview = new Preview(effect, decoded.picture, effect.readsFile ? await sourceOf(file) : {})
  alphaOf = decoded.alphaOf
  const { width, height } = decoded.picture
  tell({ kind: 'opened', size: { width, height } })
  plan(0)
}

/** One bit of work; between two of them whatever came in is heard. */
function step(): void {
  if (wanted && preview) {
    work = { wanted, steps: preview.steps(wanted.options, wanted.window) }
    wanted = undefined
  }
  const next = work?.steps.next()
  if (!work || !next) return
  const { number, window } = work.wanted
  if (next.done === true) {
    work = undefined
    return tell({ kind: 'shown', number })
  }
  switch (next.value.kind) {
    case 'measured':
      tell(next.value)
      return plan(0)
    case 'pause':
      return plan(PAUSE_MS)
    case 'tile': {
      const { tile } = next.value
      const { left, top, width, height } = tile
      const pixels = paintable(tile, alphaOf(tile, window.perPixel))
      tell({ kind: 'tile', number, tile: { left, top, width, height, pixels } }, [pixels.buffer])
      return plan(0)
    }
  }
}

function plan(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    try {
      step()
    } catch {
      work = undefined
      tell({ kind: 'failed' })
    }
  }, ms)
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'open') {
    open(data.file, data.effect).catch(() => tell({ kind: 'failed' }))
    return
  }
  wanted = data
  if (preview) plan(0)
})
