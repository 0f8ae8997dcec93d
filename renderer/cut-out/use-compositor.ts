import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { Patch, Scene } from './compositor.ts'
import type { News, Request } from './compositor.worker.ts'
import type { Parts } from './parts.ts'
import { around, wholeOf } from './window.ts'
import type { Rect, Size } from '#shared/resize'
import type { Stroke } from '#shared/strokes'

/** A picture that is being composed: sizes in pixels, and in those of the preview what the canvas shows and what the result holds. */
export interface Board {
  readonly preview: Size
  readonly full: Size
  readonly area: Rect
  readonly frame: Rect
}

export interface Composition {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly board: Board | 'failed' | undefined
  /** Whether the browser can't show the background picture. */
  readonly hasNoBackdrop: boolean
  /** Shows a stroke under way; none takes it back. */
  readonly paint: (stroke: Stroke | undefined) => void
}

const ask = (worker: Worker | undefined, request: Request): void => worker?.postMessage(request)
const isSame = (one: Rect, other: Rect): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A board's canvas after some of its pixels changed; it is taken anew where the crop reaches further beyond the picture, or less far. */
function lay(canvas: HTMLCanvasElement, area: Rect, { left, top, width, height, pixels }: Patch): void {
  if (canvas.width !== area.width) canvas.width = area.width
  if (canvas.height !== area.height) canvas.height = area.height
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), left - area.left, top - area.top)
}

/** What a worker that has opened some parts tells. */
function follow(
  worker: Worker,
  canvas: RefObject<HTMLCanvasElement | null>,
  tell: (board: Board | 'failed') => void,
  onNoBackdrop: () => void,
): void {
  let board: Board | undefined
  const hear = (news: News): void => {
    switch (news.kind) {
      case 'failed':
        return tell('failed')
      case 'no-backdrop':
        return onNoBackdrop()
      case 'opened': {
        const { preview, full } = news
        board = { preview, full, area: wholeOf(preview), frame: wholeOf(preview) }
        return tell(board)
      }
      case 'patch': {
        if (!board || !canvas.current) return
        const { frame } = news.patch
        const area = around(wholeOf(board.preview), frame) ?? frame
        lay(canvas.current, area, news.patch)
        if (isSame(frame, board.frame)) return
        board = { ...board, area, frame }
        return tell(board)
      }
    }
  }
  worker.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data))
  worker.addEventListener('error', () => tell('failed'))
}

/** Composes a picture in a worker, onto a canvas. */
export function useCompositor(parts: Parts | undefined, scene: Scene, backdrop: Blob | undefined): Composition {
  const canvas = useRef<HTMLCanvasElement>(null)
  const worker = useRef<Worker>(undefined)
  const [opened, setOpened] = useState<{ readonly parts: Parts; readonly board: Board | 'failed' }>()
  const [failedBackdrop, setFailedBackdrop] = useState<Blob>()
  const board = opened?.parts === parts ? opened?.board : undefined
  const failBackdrop = useEffectEvent(() => setFailedBackdrop(backdrop))
  useEffect(() => {
    if (!parts) return undefined
    const made = new Worker(new URL('./compositor.worker.ts', import.meta.url), { type: 'module' })
    follow(
      made,
      canvas,
      (told) => setOpened({ parts, board: told }),
      () => failBackdrop(),
    )
    ask(made, { kind: 'open', parts })
    worker.current = made
    return () => made.terminate()
  }, [parts])
  const isOpen = typeof board === 'object'
  useEffect(() => {
    if (isOpen && backdrop) ask(worker.current, { kind: 'backdrop', file: backdrop })
  }, [isOpen, backdrop])
  useEffect(() => {
    if (isOpen) ask(worker.current, { kind: 'show', scene })
  }, [isOpen, scene])
  const paint = (stroke: Stroke | undefined): void => ask(worker.current, stroke ? { kind: 'paint', stroke } : { kind: 'show', scene })
  return { canvas, board, hasNoBackdrop: backdrop !== undefined && failedBackdrop === backdrop, paint }
}
