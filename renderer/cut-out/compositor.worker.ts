import { Compositor, type Patch, type Planes, type Scene } from './compositor.ts'
import { groundPainter } from './ground.ts'
import type { Parts } from './parts.ts'
import type { Size } from '#shared/resize'
import type { Stroke } from '#shared/strokes'

/** What the worker is asked for; of several scenes or strokes that wait only the last is shown. */
export type Request =
  | { readonly kind: 'open'; readonly parts: Parts }
  | { readonly kind: 'backdrop'; readonly file: Blob }
  | { readonly kind: 'show'; readonly scene: Scene }
  | { readonly kind: 'paint'; readonly stroke: Stroke }

/** What it has to say. */
export type News =
  /** `preview` is the size it works at, `full` the whole picture's. */
  | { readonly kind: 'opened'; readonly preview: Size; readonly full: Size }
  | { readonly kind: 'failed' }
  | { readonly kind: 'no-backdrop' }
  | { readonly kind: 'patch'; readonly patch: Patch }

/** The longer side it works at, at most: the size of the parts. */
const PREVIEW_PX = 1600
/** A picture may claim any size: what the browser is not asked to decode. */
const MAX_SOURCE_BYTES = 60e6

const tell = (news: News, moved: Transferable[] = []): void => self.postMessage(news, { transfer: moved })
const sizeOf = ({ width, height }: Size): Size => ({ width, height })

/** A picture's pixels at a size, as RGBA. */
function pixelsOf(picture: ImageBitmap, { width, height }: Size): Uint8ClampedArray {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return context.getImageData(0, 0, width, height).data
}

/** A matte is a grey picture: any of its channels is it. */
async function matteOf(file: Blob | undefined, size: Size): Promise<{ readonly matte: Uint8Array; readonly full: Size | undefined }> {
  if (!file) return { matte: new Uint8Array(size.width * size.height), full: undefined }
  const picture = await createImageBitmap(file, { colorSpaceConversion: 'none' })
  const pixels = pixelsOf(picture, size)
  const full = sizeOf(picture)
  picture.close()
  return { matte: Uint8Array.from({ length: size.width * size.height }, (_, n) => pixels[4 * n] ?? 0), full }
}

async function scaledDown(file: Blob): Promise<{ readonly picture: ImageBitmap; readonly own: Size }> {
  const picture = await createImageBitmap(file)
  const own = sizeOf(picture)
  const scale = PREVIEW_PX / Math.max(own.width, own.height)
  if (scale >= 1) return { picture, own }
  const [resizeWidth, resizeHeight] = [Math.max(1, Math.round(own.width * scale)), Math.max(1, Math.round(own.height * scale))]
  const small = await createImageBitmap(picture, { resizeWidth, resizeHeight, resizeQuality: 'high' })
  picture.close()
  return { picture: small, own }
}

let compositor: Compositor | undefined
let backdrop: ImageBitmap | undefined
let scene: Scene | undefined
let stroke: Stroke | undefined
let isPlanned = false

async function open({ source, foreground, matte: matteFile }: Parts): Promise<void> {
  if (source.size > MAX_SOURCE_BYTES) throw new Error('too large')
  const { picture, own } = await scaledDown(source)
  const preview = sizeOf(picture)
  const pixels = pixelsOf(picture, preview)
  const colours = foreground ? pixelsOf(await createImageBitmap(foreground), preview) : pixels
  const { matte, full = own } = await matteOf(matteFile, preview)
  const planes: Planes = { ...preview, source: pixels, foreground: colours, matte, scale: preview.width / full.width }
  compositor = new Compositor(
    planes,
    groundPainter(() => ({ source: picture, backdrop })),
  )
  tell({ kind: 'opened', preview, full })
}

async function setBackdrop(file: Blob): Promise<void> {
  try {
    backdrop = (await scaledDown(file)).picture
  } catch {
    backdrop = undefined
    tell({ kind: 'no-backdrop' })
  }
  send(compositor?.repaint())
}

function send(patch: Patch | undefined): void {
  if (patch) tell({ kind: 'patch', patch }, [patch.pixels.buffer])
}

/** Once all that has come in by now is known, so that a slow picture never lags behind a quick hand. */
function work(): void {
  isPlanned = false
  const [nextScene, nextStroke] = [scene, stroke]
  scene = undefined
  stroke = undefined
  if (nextScene) send(compositor?.show(nextScene))
  if (nextStroke) send(compositor?.paint(nextStroke))
}

function plan(): void {
  if (isPlanned) return
  isPlanned = true
  setTimeout(work)
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  switch (data.kind) {
    case 'open':
      open(data.parts).catch(() => tell({ kind: 'failed' }))
      return
    case 'backdrop':
      void setBackdrop(data.file)
      return
    case 'show':
      scene = data.scene
      // A stroke before it is part of it, or was taken back.
      stroke = undefined
      return plan()
    case 'paint':
      stroke = data.stroke
      return plan()
  }
})
