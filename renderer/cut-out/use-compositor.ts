import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { follow, type Board, type Canvases } from './board.ts'
import type { Scene } from './compositor.ts'
import type { Request } from './compositor.worker.ts'
import type { Parts } from './parts.ts'
import type { Rect } from '#shared/resize'
import type { Stroke } from '#shared/strokes'

export interface Composition {
  readonly canvases: Canvases
  readonly board: Board | 'failed' | undefined
  /** Whether the browser can't show the background picture. */
  readonly hasNoBackdrop: boolean
  /** Shows a stroke under way; none takes it back. */
  readonly paint: (stroke: Stroke | undefined) => void
  /** Has a part of the whole picture, in its pixels, shown at full size as long as it is looked at. */
  readonly refine: (area: Rect | undefined) => void
}

/** Composes a picture in a worker, onto a canvas. */
export function useCompositor(parts: Parts | undefined, scene: Scene, backdrop: Blob | undefined): Composition {
  const canvas = useRef<HTMLCanvasElement>(null)
  const detail = useRef<HTMLCanvasElement>(null)
  const canvases = useMemo(() => ({ canvas, detail }), [])
  const worker = useRef<Worker>(undefined)
  const [opened, setOpened] = useState<{ readonly parts: Parts; readonly board: Board | 'failed' }>()
  const [failedBackdrop, setFailedBackdrop] = useState<Blob>()
  const board = opened?.parts === parts ? opened?.board : undefined
  const failBackdrop = useEffectEvent(() => setFailedBackdrop(backdrop))
  const ask = useCallback((request: Request): void => worker.current?.postMessage(request), [])
  useEffect(() => {
    if (!parts) return undefined
    const made = new Worker(new URL('./compositor.worker.ts', import.meta.url), { type: 'module' })
    follow(made, canvases, { onBoard: (told) => setOpened({ parts, board: told }), onNoBackdrop: () => failBackdrop() })
    worker.current = made
    ask({ kind: 'open', parts })
    return () => made.terminate()
  }, [parts, canvases, ask])
  const isOpen = typeof board === 'object'
  useEffect(() => {
    if (isOpen && backdrop) ask({ kind: 'backdrop', file: backdrop })
  }, [isOpen, backdrop, ask])
  useEffect(() => {
    if (isOpen) ask({ kind: 'show', scene })
  }, [isOpen, scene, ask])
  const refine = useCallback((area: Rect | undefined) => ask({ kind: 'refine', area }), [ask])
  return {
    canvases,
    board,
    hasNoBackdrop: backdrop !== undefined && failedBackdrop === backdrop,
    paint: (stroke) => ask(stroke ? { kind: 'paint', stroke } : { kind: 'show', scene }),
    refine,
  }
}
