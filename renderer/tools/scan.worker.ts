import type { Rgb } from '#shared/effects/effect'
import { findPage } from '#shared/effects/scan-document/find-page'
import type { Quad } from '#shared/effects/scan-document/quad'
import { cleaned, cornersOf, layoutOf, type ScanOptions } from '#shared/effects/scan-document/scan'
import { warped } from '#shared/effects/scan-document/warp'

/** What the worker is asked for; of several looks that wait only the last is shown. */
export type Request = { readonly kind: 'open'; readonly file: Blob } | { readonly kind: 'show'; readonly look: ScanOptions }

/** What it has to say: the corners of the page that the photo shows, if it shows one; the page as it will look. */
export type News =
  | { readonly kind: 'opened'; readonly found: Quad | undefined }
  | { readonly kind: 'failed' }
  | { readonly kind: 'shown'; readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray<ArrayBuffer> }

/** The longer side it works at: as large as a screen shows. */
const SIDE_PX = 1100

let photo: Rgb | undefined
let next: ScanOptions | undefined
let isPlanned = false

const tell = (news: News, moved: Transferable[] = []): void => self.postMessage(news, { transfer: moved })

async function open(file: Blob): Promise<void> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, SIDE_PX / Math.max(picture.width, picture.height))
  const [width, height] = [Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale))]
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(picture, 0, 0, width, height)
  picture.close()
  const { data: samples } = context.getImageData(0, 0, width, height)
  const data = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; from < samples.length; from += 4, to += 3) {
    data[to] = samples[from] ?? 0
    data[to + 1] = samples[from + 1] ?? 0
    data[to + 2] = samples[from + 2] ?? 0
  }
  photo = { data, width, height }
  tell({ kind: 'opened', found: findPage(photo)?.quad })
  plan()
}

function show(look: ScanOptions): void {
  if (!photo) return
  const layout = layoutOf(photo, cornersOf(photo, look), look.straighten)
  const page = layout ? warped(photo, layout) : photo
  const { data, width, height } = cleaned(page, look) ?? page
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    pixels[to] = data[from] ?? 0
    pixels[to + 1] = data[from + 1] ?? 0
    pixels[to + 2] = data[from + 2] ?? 0
    pixels[to + 3] = 255
  }
  tell({ kind: 'shown', width, height, pixels }, [pixels.buffer])
}

/** Shows what was asked for last, once everything that waits has been heard. */
function plan(): void {
  if (isPlanned || !next || !photo) return
  isPlanned = true
  setTimeout(() => {
    isPlanned = false
    const look = next
    next = undefined
    if (look) show(look)
    plan()
  }, 0)
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'open') {
    open(data.file).catch(() => tell({ kind: 'failed' }))
    return
  }
  next = data.look
  plan()
})
