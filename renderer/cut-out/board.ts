import type { RefObject } from 'react'
import type { Patch } from './compositor.ts'
import type { Detail, News } from './compositor.worker.ts'
import { around, wholeOf } from '../stage/window.ts'
import type { Rect, Size } from '#shared/resize'

/** A picture that is being composed: sizes in pixels, and in those of the preview what the canvas shows and what the result holds. */
export interface Board {
  readonly preview: Size
  readonly full: Size
  readonly area: Rect
  readonly frame: Rect
}

export interface Canvases {
  /** All of the board, at preview size. */
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** What of it is looked at closely, over the other one. */
  readonly detail: RefObject<HTMLCanvasElement | null>
}

interface Listener {
  readonly onBoard: (board: Board | 'failed') => void
  readonly onNoBackdrop: () => void
}

const isSame = (one: Rect, other: Rect): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The canvas is taken anew where the crop reaches further beyond the picture, or less far. */
function lay(canvas: HTMLCanvasElement, area: Rect, { left, top, width, height, pixels }: Patch): void {
  if (canvas.width !== area.width) canvas.width = area.width
  if (canvas.height !== area.height) canvas.height = area.height
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), left - area.left, top - area.top)
}

function layDetail(canvas: HTMLCanvasElement, { preview, full, area }: Board, { left, top, width, height, pixels }: Detail): void {
  const perPixel = full.width / preview.width
  const percent = (px: number, from: number, side: number): string => `${(100 * (px / perPixel - from)) / side}%`
  canvas.width = width
  canvas.height = height
  canvas.style.left = percent(left, area.left, area.width)
  canvas.style.top = percent(top, area.top, area.height)
  canvas.style.width = percent(width, 0, area.width)
  canvas.style.height = percent(height, 0, area.height)
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
}

/** Takes away what a change of the preview has made out of date. */
function clearUnder(canvas: HTMLCanvasElement, { preview, full }: Board, { left, top }: Rect, changed: Rect): void {
  const perPixel = full.width / preview.width
  const context = canvas.getContext('2d')
  context?.clearRect(changed.left * perPixel - left, changed.top * perPixel - top, changed.width * perPixel, changed.height * perPixel)
}

/** Lays on the canvases what a worker that opens some parts has to show. */
export function follow(worker: Worker, { canvas, detail }: Canvases, { onBoard, onNoBackdrop }: Listener): void {
  let board: Board | undefined
  let close: Rect | undefined
  const show = (shown: Board, patch: Patch, on: HTMLCanvasElement): void => {
    const area = around(wholeOf(shown.preview), patch.frame) ?? patch.frame
    lay(on, area, patch)
    if (close && detail.current) clearUnder(detail.current, shown, close, patch)
    if (isSame(patch.frame, shown.frame)) return
    board = { ...shown, area, frame: patch.frame }
    onBoard(board)
  }
  const hear = (news: News): void => {
    switch (news.kind) {
      case 'failed':
        return onBoard('failed')
      case 'no-backdrop':
        return onNoBackdrop()
      case 'opened': {
        const whole = wholeOf(news.preview)
        board = { preview: news.preview, full: news.full, area: whole, frame: whole }
        return onBoard(board)
      }
      case 'patch':
        if (board && canvas.current) show(board, news.patch, canvas.current)
        return
      case 'detail':
        close = news.detail
        if (board && detail.current) layDetail(detail.current, board, news.detail)
    }
  }
  worker.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data))
  worker.addEventListener('error', () => onBoard('failed'))
}
