import sharp from 'sharp'
import type { Drawn } from './draw-svg.ts'
import { renderSvg, type Drawing } from './render-svg.ts'

sharp.concurrency(1)
sharp.cache(false)

process.on('message', (drawing: Drawing) => void renderSvg(drawing).then((drawn) => process.send?.(drawn)))
// The job's process was killed: nobody will take the picture, and an exit would wait for an endless filter's thread.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
const ready: Drawn = { ready: true }
process.send?.(ready)
