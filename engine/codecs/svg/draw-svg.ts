import { fork } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { renderSvg, type Drawing, type Rendered } from './render-svg.ts'
import type { Limits } from '#engine/limits'
import { AppError, fromWire } from '#shared/errors/app-error'

const MAX_BYTES = 10 * 1024 ** 2
/** A filter of a few hundred bytes can keep librsvg busy for hours; honest drawings measured below a second. */
const LIMIT_MS = 5000

/** From the drawing process: that it has started; then a PNG file, or why there is none. */
export type Drawn = { readonly ready: true } | Rendered

// Tests run these sources as they stand; a child, being a plain Node process, needs the compiled ones.
const compiled = import.meta.url.endsWith('.ts') ? '../../../dist/engine/codecs/svg/svg-child.js' : './svg-child.js'
const script = fileURLToPath(new URL(compiled, import.meta.url))

let draws: (drawing: Drawing) => Promise<Rendered> = drawApart

/**
 * Has drawings drawn in this process from now on: one that can start no others, since the packed client's program runs nothing but the client.
 * An endless drawing then ends with its job, by the job's deadline.
 */
export function drawInThisProcess(): void {
  draws = renderSvg
}

/**
 * An SVG file drawn at its own size, as a PNG file. A process of its own alone unblocks libvips' loader and is killed after
 * 5 s; librsvg itself follows no outer file or address. Throws `file.too-large` above 10 MB, `image.too-many-pixels`,
 * `file.unreadable`, and `job.timed-out` for a drawing without end.
 */
export async function drawSvg(path: string, limits: Limits): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new AppError('file.too-large', { limitBytes: MAX_BYTES })
  const drawn = await draws({ path, limits })
  if ('error' in drawn) throw fromWire(drawn.error)
  return Buffer.from(drawn.png)
}

function drawApart(drawing: Drawing): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    const child = fork(script, [], {
      cwd: tmpdir(),
      env: { ...process.env, VIPS_BLOCK_UNTRUSTED: '1' },
      execArgv: ['--max-old-space-size=256'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // A process slow to start is the machine's fault and ends with the job's own deadline.
    let timer: NodeJS.Timeout | undefined
    const settle = (tell: () => void): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      tell()
    }
    child.on('message', (answer: Drawn) => {
      if (!('ready' in answer)) return settle(() => resolve(answer))
      timer = setTimeout(() => settle(() => reject(new AppError('job.timed-out', {}))), LIMIT_MS)
      child.send(drawing, () => {})
    })
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', (code, signal) =>
      settle(() => reject(new AppError('file.unreadable', {}, { cause: `svg process: ${signal ?? code}` }))),
    )
  })
}
