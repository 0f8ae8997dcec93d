import sharp from 'sharp'
import { expect, test } from 'vitest'
import { animatedWebp } from '../fixtures/pictures.ts'
import { isCutGif } from '#engine/codecs/gif/gif-file'

test('an animated GIF is whole to its last block, and nowhere before unless a frame just ended', async () => {
  const webp = await animatedWebp(24, 20, 3)
  const gif = await sharp(webp, { animated: true }).gif().toBuffer()
  expect(isCutGif(gif)).toBe(false)
  expect(isCutGif(gif.subarray(0, -1)), 'without its trailer').toBe(false)
  // Blocks end with a 0 byte: a cut anywhere else is in the middle of one.
  const wrong = Array.from({ length: gif.length - 1000 }, (_, n) => n + 900).filter(
    (length) => gif[length - 1] !== 0 && length < gif.length && !isCutGif(gif.subarray(0, length)),
  )
  expect(wrong).toEqual([])
})
