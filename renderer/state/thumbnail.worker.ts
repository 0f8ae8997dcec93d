import type { Made } from './thumbnails.ts'

/** The longer side: as large as a card on a screen of twice the density shows it. */
const SIDE_PX = 320
/** Beyond these a preview would take more memory than it is worth. */
const MAX_BYTES = 60e6
const MAX_PIXELS = 120e6

/** Sides a PNG claims in its first bytes, before anything is decoded: bombs are PNGs. */
async function claimedPixels(file: File): Promise<number> {
  const head = new DataView(await file.slice(0, 24).arrayBuffer())
  return head.byteLength === 24 && head.getUint32(0) === 0x89504e47 ? head.getUint32(16) * head.getUint32(20) : 0
}

async function make(file: File): Promise<Made> {
  if (file.size > MAX_BYTES || (await claimedPixels(file)) > MAX_PIXELS) return { width: 0, height: 0 }
  const picture = await createImageBitmap(file)
  const { width, height } = picture
  const scale = Math.min(1, SIDE_PX / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const context = canvas.getContext('2d')
  if (!context) return { width, height }
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return { blob: await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 }), width, height }
}

self.addEventListener('message', ({ data }: MessageEvent<File>) => {
  make(data).then(
    (made) => self.postMessage(made),
    () => self.postMessage({ width: 0, height: 0 } satisfies Made),
  )
})
