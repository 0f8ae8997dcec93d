import { useEffect, useRef, useState, type RefObject } from 'react'
import type { ColourParts } from './colour-parts.ts'
import type { Colours, News, Request } from './colour.worker.ts'
import type { PaintedTile } from '../effects/effect.worker.ts'
import type { Size } from '#shared/resize'

/** A photo that is being coloured. */
export interface Colouring {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly size: Size | 'failed' | undefined
  /** Whether what is shown is as it will be. */
  readonly isShown: boolean
}

interface Opened {
  readonly parts: ColourParts
  readonly size: Size | 'failed'
  readonly isShown: boolean
}

function lay(canvas: HTMLCanvasElement, { left, top, width, height, pixels }: PaintedTile, isDraft: boolean): void {
  const context = canvas.getContext('2d')
  const painted = new ImageData(pixels, width, height)
  if (!isDraft) return context?.putImageData(painted, left, top)
  const small = new OffscreenCanvas(width, height)
  small.getContext('2d')?.putImageData(painted, 0, 0)
  context?.drawImage(small, 0, 0, canvas.width, canvas.height)
}

/** Has a worker colour a photo, onto a canvas. */
export function useColours(parts: ColourParts | undefined, colours: Colours): Colouring {
  const canvas = useRef<HTMLCanvasElement>(null)
  const worker = useRef<Worker>(undefined)
  const [known, setKnown] = useState<Opened>()
  useEffect(() => {
    if (!parts) return undefined
    const made = new Worker(new URL('./colour.worker.ts', import.meta.url), { type: 'module' })
    const hear = (news: News): void => {
      switch (news.kind) {
        case 'opened':
          return setKnown({ parts, size: news.size, isShown: false })
        case 'failed':
          return setKnown({ parts, size: 'failed', isShown: false })
        case 'tile':
          if (canvas.current) lay(canvas.current, news.tile, news.isDraft)
          return
        case 'shown':
          setKnown((before) => before && { ...before, isShown: true })
      }
    }
    made.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data))
    made.addEventListener('error', () => hear({ kind: 'failed' }))
    worker.current = made
    made.postMessage({ kind: 'open', parts } satisfies Request)
    return () => made.terminate()
  }, [parts])
  const opened = known?.parts === parts ? known : undefined
  const isOpen = typeof opened?.size === 'object'
  const key = JSON.stringify(colours)
  useEffect(() => {
    if (!isOpen) return
    setKnown((before) => before && { ...before, isShown: false })
    worker.current?.postMessage({ kind: 'show', colours } satisfies Request)
    // By what they hold.
  }, [isOpen, key])
  return { canvas, size: opened?.size, isShown: opened?.isShown === true }
}
