import { useEffect, useRef, useState, type RefObject } from 'react'
import type { News, Request } from './scan.worker.ts'
import type { Quad } from '#shared/effects/scan-document/quad'
import type { ScanOptions } from '#shared/effects/scan-document/scan'

/** How far the worker is with a file. */
export type Scan =
  | { readonly at: 'opening' }
  | { readonly at: 'failed' }
  | { readonly at: 'open'; readonly found: Quad | undefined; readonly isShown: boolean }

/** Finds the page that a file shows and draws it onto a canvas as it will look, in a worker. */
export function useScan(file: File | undefined, look: ScanOptions | undefined, canvas: RefObject<HTMLCanvasElement | null>): Scan {
  const worker = useRef<Worker>(undefined)
  const [told, setTold] = useState<{ readonly file: File; readonly scan: Scan }>()
  useEffect(() => {
    if (!file) return undefined
    const made = new Worker(new URL('./scan.worker.ts', import.meta.url), { type: 'module' })
    made.addEventListener('message', ({ data }: MessageEvent<News>) => {
      if (data.kind === 'failed') setTold({ file, scan: { at: 'failed' } })
      if (data.kind === 'opened') setTold({ file, scan: { at: 'open', found: data.found, isShown: false } })
      if (data.kind !== 'shown') return
      draw(canvas.current, data)
      setTold((before) => (before?.scan.at === 'open' ? { ...before, scan: { ...before.scan, isShown: true } } : before))
    })
    worker.current = made
    made.postMessage({ kind: 'open', file } satisfies Request)
    return () => made.terminate()
  }, [file, canvas])
  const text = JSON.stringify(look)
  useEffect(() => {
    if (look) worker.current?.postMessage({ kind: 'show', look } satisfies Request)
    // The look is made anew at each rendering; its text tells whether it is another.
  }, [text, file])
  return told && told.file === file ? told.scan : { at: 'opening' }
}

function draw(canvas: HTMLCanvasElement | null, { width, height, pixels }: Extract<News, { kind: 'shown' }>): void {
  if (!canvas) return
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
}
