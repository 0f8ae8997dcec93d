import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { News, PaintedTile, Request } from './effect.worker.ts'
import { rasterSize, type Window } from './raster.ts'
import type { Options } from '../state/settings.ts'
import type { EffectId } from '#shared/effects/load-effect'
import type { Size } from '#shared/resize'

/** Where a preview stands. */
export interface PreviewState {
  readonly at: 'opening' | 'open' | 'failed'
  /** Whether what is shown is all of what is looked at, as it will be. */
  readonly isShown: boolean
  readonly isNothing: boolean
  /** Whether a pixel's result depends on its neighbours, so that only full size tells the truth; undefined until it is known. */
  readonly isLocal: boolean | undefined
}

export interface Previewing {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly state: PreviewState
}

const opening: PreviewState = { at: 'opening', isShown: false, isNothing: false, isLocal: undefined }
const isSameWindow = (one: Window | undefined, other: Window): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Lays a canvas over what is looked at; what it showed stays where it was, until it is made anew. */
function lay(canvas: HTMLCanvasElement, before: Window | undefined, window: Window, size: Size): void {
  const kept = before && canvas.width > 0 ? copyOf(canvas) : undefined
  const raster = rasterSize(size, window.perPixel)
  canvas.width = window.width
  canvas.height = window.height
  canvas.style.left = `${(100 * window.left) / raster.width}%`
  canvas.style.top = `${(100 * window.top) / raster.height}%`
  canvas.style.width = `${(100 * window.width) / raster.width}%`
  canvas.style.height = `${(100 * window.height) / raster.height}%`
  if (!kept || !before) return
  const scale = before.perPixel / window.perPixel
  const context = canvas.getContext('2d')
  context?.drawImage(kept, before.left * scale - window.left, before.top * scale - window.top, kept.width * scale, kept.height * scale)
}

function copyOf(canvas: HTMLCanvasElement): OffscreenCanvas {
  const copy = new OffscreenCanvas(canvas.width, canvas.height)
  copy.getContext('2d')?.drawImage(canvas, 0, 0)
  return copy
}

function paint(canvas: HTMLCanvasElement, { left, top, width, height, pixels }: PaintedTile, window: Window): void {
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), left - window.left, top - window.top)
}

/** Has a worker show what an effect makes of what is looked at of a file. */
export function usePreview(
  effect: EffectId,
  file: Blob | undefined,
  size: Size | undefined,
  options: Options | undefined,
  window: Window | undefined,
): Previewing {
  const canvas = useRef<HTMLCanvasElement>(null)
  const worker = useRef<Worker>(undefined)
  const [known, setKnown] = useState<{ readonly file: Blob; readonly state: PreviewState }>()
  const shown = useRef<{ readonly window: Window; readonly number: number }>(undefined)
  const count = useRef(0)
  const change = useCallback((changed: (state: PreviewState) => PreviewState): void => {
    setKnown((before) => before && { ...before, state: changed(before.state) })
  }, [])
  useEffect(() => {
    if (!file) return undefined
    const made = new Worker(new URL('./effect.worker.ts', import.meta.url), { type: 'module' })
    shown.current = undefined
    setKnown({ file, state: opening })
    const hear = (news: News): void => {
      const at = shown.current
      switch (news.kind) {
        case 'opened':
          return change((state) => ({ ...state, at: 'open' }))
        case 'failed':
          return change((state) => ({ ...state, at: 'failed' }))
        case 'measured':
          if (news.isNothing && canvas.current && at) canvas.current.getContext('2d')?.clearRect(0, 0, at.window.width, at.window.height)
          return change((state) => ({ ...state, isNothing: news.isNothing, isLocal: news.isLocal }))
        case 'tile':
          // Of what was looked at before, nothing is laid on what is now.
          if (at?.number === news.number && canvas.current) paint(canvas.current, news.tile, at.window)
          return
        case 'shown':
          if (at?.number === news.number) change((state) => ({ ...state, isShown: true }))
      }
    }
    made.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data))
    made.addEventListener('error', () => hear({ kind: 'failed' }))
    worker.current = made
    made.postMessage({ kind: 'open', file, effect } satisfies Request)
    return () => made.terminate()
  }, [file, effect, change])
  const optionsKey = JSON.stringify(options)
  const windowKey = JSON.stringify(window)
  useEffect(() => {
    const on = canvas.current
    if (!options || !window || !size || !on || !worker.current) return
    const before = shown.current?.window
    if (!isSameWindow(before, window)) lay(on, before, window, size)
    count.current += 1
    shown.current = { window, number: count.current }
    change((state) => ({ ...state, isShown: false }))
    worker.current.postMessage({ kind: 'show', number: count.current, options, window } satisfies Request)
    // By what they hold: a form makes options anew, and a stage its view, that say the same.
  }, [file, optionsKey, windowKey, size?.width, size?.height, change])
  return { canvas, state: known && known.file === file ? known.state : opening }
}
