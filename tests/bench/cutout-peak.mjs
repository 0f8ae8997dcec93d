import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { facesIn, rawMatte } from './cutout-steps.mjs'
import { predictMatte } from '#engine/ai/predict'
import { samplesOf } from '#engine/image/pixels'
import { estimateForeground } from '#engine/matte/foreground'
import { refineMatte } from '#engine/matte/refine'
import { corpus } from './measure.mjs'

// One process a measurement, so that a peak is one of this work alone: `raw`, `all` or `person` (all, and faces looked for), then a models' folder if there is one.
const [, , what, modelsFolder] = process.argv
sharp.concurrency(1)
const photo = join(corpus, 'photo_big', 'Samsung_SM-G935L_Galaxy_S7_Edge.jpg')
const blank = sharp({ create: { width: 4032, height: 3024, channels: 3, background: '#9ab' } }).composite([
  {
    input: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600"><circle cx="800" cy="800" r="780" fill="#a33"/></svg>',
    ),
  },
])
const pixels = await samplesOf((existsSync(photo) ? sharp(photo) : blank).toColourspace('srgb'))
const startedAt = performance.now()
const before = process.cpuUsage()
let refinement = 0
if (what === 'raw') await rawMatte(pixels, 'general', modelsFolder)
else {
  const subject = what === 'person' ? 'person' : 'general'
  const faces = await facesIn(pixels, subject, modelsFolder)
  const { matte } = await predictMatte(pixels, subject, { faces, ...(modelsFolder !== undefined && { modelsFolder }) })
  const from = performance.now()
  const refined = refineMatte(pixels, matte, subject, faces)
  refinement = (performance.now() - from) / 1000
  estimateForeground(pixels, refined)
}
const { user, system } = process.cpuUsage(before)
const seconds = { busy: (user + system) / 1e6, wall: (performance.now() - startedAt) / 1000 }
console.log(
  JSON.stringify({
    ...seconds,
    refinement,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    megapixels: (pixels.width * pixels.height) / 1e6,
  }),
)
