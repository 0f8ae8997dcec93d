import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Order, Report } from './processor.ts'

/** A child process as the pool sees it. The desktop client launches Electron utility processes behind the same face. */
export interface Child {
  readonly pid: number | undefined
  /** What it holds, in bytes, where its launcher knows better than this module's `residentBytes` and the child itself. */
  resident?(): number | undefined
  send(order: Order): void
  /** Ends it at once, whatever it is doing (SIGKILL; TerminateProcess on Windows). */
  kill(): void
  onReport(listener: (report: Report) => void): void
  /** Called once, when the process is gone or could not be started; `reason` is for the log. */
  onExit(listener: (reason: string) => void): void
}

/** What a decoder needs of the environment, and how many threads a model may use; no credentials reach code that reads strangers' files. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'SYSTEMROOT', 'windir', 'LANG', 'AI_THREADS']
  const inherited = Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  // libvips then refuses every loader not fuzzed for untrusted input, SVG first of all (product rule: no SVG but in its own child).
  // glibc would give a picture's buffers back to the system after each job and have the next one's zeroed page by page: 5 % of a resize.
  const keptMemory = { MALLOC_MMAP_THRESHOLD_: String(32 * 1024 ** 2), MALLOC_TRIM_THRESHOLD_: String(64 * 1024 ** 2) }
  return { ...inherited, ...keptMemory, VIPS_BLOCK_UNTRUSTED: '1' }
}

// Tests run these sources as they stand; a child, being a plain Node process, needs the compiled ones.
const compiled = import.meta.url.endsWith('.ts') ? '../dist/engine/child.js' : './child.js'
const script = fileURLToPath(new URL(compiled, import.meta.url))

/** Starts a Node process on the compiled `engine/child`. */
export function launchNode(): Child {
  const child = fork(script, [], {
    env: bareEnvironment(),
    cwd: tmpdir(),
    execArgv: ['--max-old-space-size=512', '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2000)))
  return {
    pid: child.pid,
    // A failed send means the process is going; its exit event says so to the pool.
    send: (order) => void child.send(order, () => {}),
    kill: () => void child.kill('SIGKILL'),
    onReport: (listener) => void child.on('message', listener),
    onExit: (listener) => {
      let isGone = false
      const tell = (reason: string): void => {
        if (!isGone) listener(reason)
        isGone = true
      }
      child.on('error', (error) => tell(error.message))
      child.once('exit', (code, signal) => tell(`exit ${signal ?? code} ${complaints}`.trim()))
    },
  }
}

/** Resident memory of a process in bytes, from outside it; undefined where the system offers no cheap way. */
export function residentBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]
    return Number(pages) * 4096
  } catch {
    return undefined // it has just ended
  }
}
