import { Compositor, type Patch, type Scene } from './compositor.ts'
import { composeDetail, previewBox, type DetailPictures } from './detail.ts'
import { groundPainter } from './ground.ts'
import type { Parts } from './parts.ts'
import type { Rect, Size } from '#shared/resize'
import type { Stroke } from '#shared/strokes'

/** What the worker is asked for; of several scenes or strokes that wait only the last is shown. */
export type Request =
  | { readonly kind: 'open'; readonly parts: Parts }
  | { readonly kind: 'backdrop'; readonly file: Blob }
  | { readonly kind: 'show'; readonly scene: Scene }
  | { readonly kind: 'paint'; readonly stroke: Stroke }
  /** The part of the whole picture that is looked at closely, in its pixels. */
  | { readonly kind: 'refine'; readonly area: Rect | undefined }

/** What it has to say. */
export type News =
  /** `preview` is the size it works at, `full` the whole picture's. */
  | { readonly kind: 'opened'; readonly preview: Size; readonly full: Size }
  | { readonly kind: 'failed' }
  | { readonly kind: 'no-backdrop' }
  | { readonly kind: 'patch'; readonly patch: Patch }
  | { readonly kind: 'detail'; readonly detail: Detail }

/** A part of the whole picture at full size. */
export interface Detail extends Rect {
  /** RGBA. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
}

/** The longer side it works at, at most: the size of the parts. */
const PREVIEW_PX = 1600
/** A picture may claim any size: what the browser is not asked to decode. */
const MAX_SOURCE_BYTES = 60e6
/** Above it a file is not decoded at full size, which takes four bytes a pixel. */
const MAX_FULL_PIXELS = 50e6
/** How long nothing may move before what is looked at closely is shown at full size. */
const PAUSE_MS = 150

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

/** A matte is a grey picture: any of its channels is it. Without one all is ground. */
function matteOf(picture: ImageBitmap | undefined, size: Size): Uint8Array {
  const pixels = picture && pixelsOf(picture, size)
  const matte = new Uint8Array(size.width * size.height)
  if (pixels) for (let n = 0; n < matte.length; n++) matte[n] = pixels[4 * n] ?? 0
  return matte
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

/** What was opened. */
interface Work {
  readonly compositor: Compositor
  readonly pictures: DetailPictures
  /** The file at full size, once it was asked for: none where the browser can't show it, or it is another picture than the matte's. */
  readonly source: () => Promise<ImageBitmap | undefined>
}

let work: Work | undefined
let backdrop: ImageBitmap | undefined
/** What is to be shown next. */
let scene: Scene | undefined
let stroke: Stroke | undefined
let isPlanned = false
/** What is shown, and which part of it is wanted at full size once nothing moves. */
let shown: Scene | undefined
let wanted: Rect | undefined
let pause: ReturnType<typeof setTimeout> | undefined

async function open({ source, foreground, matte: matteFile, file }: Parts): Promise<void> {
  if (source.size > MAX_SOURCE_BYTES) throw new Error('too large')
  const { picture, own } = await scaledDown(source)
  const preview = sizeOf(picture)
  const clean = foreground ? await createImageBitmap(foreground) : picture
  const matte = matteFile && (await createImageBitmap(matteFile, { colorSpaceConversion: 'none' }))
  const full = matte ? sizeOf(matte) : own
  const compositor = new Compositor(
    {
      ...preview,
      source: pixelsOf(picture, preview),
      foreground: pixelsOf(clean, preview),
      matte: matteOf(matte, preview),
      scale: preview.width / full.width,
    },
    groundPainter(() => ({ source: picture, backdrop })),
  )
  let opened: Promise<ImageBitmap | undefined> | undefined
  work = {
    compositor,
    pictures: { full, matte, source: undefined, preview: picture, foreground: clean },
    source: () => (opened ??= fileOf(file, full)),
  }
  tell({ kind: 'opened', preview, full })
  plan()
}

async function fileOf(file: Blob | undefined, full: Size): Promise<ImageBitmap | undefined> {
  if (!file || file.size > MAX_SOURCE_BYTES || full.width * full.height > MAX_FULL_PIXELS) return undefined
  const picture = await createImageBitmap(file).catch(() => undefined)
  return picture?.width === full.width && picture.height === full.height ? picture : undefined
}

async function setBackdrop(file: Blob): Promise<void> {
  try {
    backdrop = (await scaledDown(file)).picture
  } catch {
    backdrop = undefined
    tell({ kind: 'no-backdrop' })
  }
  send(work?.compositor.repaint())
  refineSoon()
}

function send(patch: Patch | undefined): void {
  if (patch) tell({ kind: 'patch', patch }, [patch.pixels.buffer])
}

/** Shows the part that is wanted at full size. */
async function refine(): Promise<void> {
  const source = await work?.source()
  // Meanwhile something else may be wanted, which has a pause of its own.
  if (!work || !wanted || !shown || stroke || scene) return
  const pictures = { ...work.pictures, source }
  const pixels = composeDetail(wanted, shown, pictures, work.compositor.behind(previewBox(wanted, pictures)))
  tell({ kind: 'detail', detail: { ...wanted, pixels } }, [pixels.buffer])
}

function refineSoon(): void {
  clearTimeout(pause)
  // Without the detail there is still the preview.
  if (wanted) pause = setTimeout(() => void refine().catch(() => {}), PAUSE_MS)
}

/** Once all that has come in by now is known, so that a slow picture never lags behind a quick hand. */
function step(): void {
  isPlanned = false
  // Shown as soon as there is something to show it with.
  if (!work) return
  const [nextScene, nextStroke] = [scene, stroke]
  scene = undefined
  stroke = undefined
  if (nextScene) {
    shown = nextScene
    send(work.compositor.show(nextScene))
    refineSoon()
  }
  if (!nextStroke) return
  send(work.compositor.paint(nextStroke))
  // Not before the stroke is finished.
  clearTimeout(pause)
}

function plan(): void {
  if (isPlanned) return
  isPlanned = true
  setTimeout(step)
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  switch (data.kind) {
    case 'open':
      open(data.parts).catch(() => tell({ kind: 'failed' }))
      return
    case 'backdrop':
      void setBackdrop(data.file)
      return
    case 'refine':
      wanted = data.area
      return refineSoon()
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
