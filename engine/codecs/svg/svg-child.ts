import sharp from 'sharp'
import type { Drawing, Drawn } from './draw-svg.ts'
import { checkSize } from '#engine/image/check-size'
import { fileFailure } from '#engine/failures'
import { AppError, toWire } from '#shared/errors/app-error'

sharp.concurrency(1)
sharp.cache(false)
// The environment blocks every loader that is not fuzzed for strangers' files; this process exists to run this one of them.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

async function draw({ path, limits }: Drawing): Promise<Drawn> {
  try {
    const drawing = sharp(path, { limitInputPixels: false, density: 72 })
    const { format, width, height } = await drawing.metadata()
    if (format !== 'svg') throw new AppError('file.unreadable', {})
    checkSize({ width, height }, limits)
    return { png: await drawing.png({ compressionLevel: 1 }).toBuffer() }
  } catch (thrown) {
    return { error: toWire(fileFailure(thrown)) }
  }
}

process.on('message', (drawing: Drawing) => void draw(drawing).then((drawn) => process.send?.(drawn)))
// The job's process was killed: nobody will take the picture, and an exit would wait for an endless filter's thread.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
const ready: Drawn = { ready: true }
process.send?.(ready)
