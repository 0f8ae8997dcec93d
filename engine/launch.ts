import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isolated, isolationOf, openOwnFolder, type Isolation, type View } from './isolation.ts'
import { yieldSession } from './niceness.ts'
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

/** Folders of children that have not ended; a parent that ends before it hears of theirs takes them along. */
const ownFolders = new Set<string>()
process.on('exit', () => {
  for (const own of ownFolders) {
    try {
      rmSync(own, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // its child is still ending; the next start sweeps it as a workspace
    }
  }
})

/** How a child is started. */
export interface Launch extends View {
  /** Added to the parent's own (`nice`): above 0 the parent answers at once while pictures are worked on. */
  readonly niceness?: number
}

/** What Node is told of a child's memory; by default it takes more before it tidies up. */
export const CHILD_FLAGS: readonly string[] = ['--max-old-space-size=512', '--expose-gc']

/**
 * Starts a Node process on the compiled `engine/child`, as far apart from the machine as `isolationOf` says. Without a view it
 * sees the files that its parent sees: a person's own, on the person's own computer.
 */
export function launchNode(launch: Launch = { folder: tmpdir() }): Child {
  const own = openOwnFolder(launch)
  ownFolders.add(own)
  const level = isolationOf(launch)
  const { niceness } = launch
  const nice = niceness !== undefined && level !== 'none' ? ['nice', '-n', String(niceness)] : []
  const node = [process.execPath, ...CHILD_FLAGS, script]
  const [program = '', ...rest] = isolated(level, launch, own, [...nice, ...node])
  const temporary = join(own, 'temp')
  const child = spawn(program, rest, {
    env: { ...bareEnvironment(), TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    cwd: temporary,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A session of its own: Ctrl-C at a terminal is for the parent.
    detached: level !== 'none',
  })
  if (niceness !== undefined && child.pid !== undefined) {
    if (level === 'none') setPriority(child.pid, niceness)
    else void yieldSession(child.pid, niceness)
  }
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2000)))
  child.once(
    'close',
    () => void rm(own, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).then(() => ownFolders.delete(own)),
  )
  let inside: number | undefined
  return {
    // In a process namespace it is a child of what made the namespace.
    get pid() {
      if (level === 'namespaces' && child.pid !== undefined) inside ??= onlyChild(child.pid)
      return inside ?? child.pid
    },
    // A failed send means the process is going; its exit event says so to the pool.
    send: (order) => void child.send(order, () => {}),
    kill: () => endGroup(child, level),
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

/**
 * Ends a child at once with whatever its namespaces are made by: `unshare` alone might be ended in the moment between its fork and the
 * child's wish to end along, and that child would hold its pipes, and its parent, for ever.
 */
function endGroup(child: ChildProcess, level: Isolation): void {
  if (level === 'none' || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return void child.kill('SIGKILL')
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // its leader has ended meanwhile, and was waited for
  }
}

/** The process a process has started, where it has started one (Linux). */
function onlyChild(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]) || undefined
  } catch {
    return undefined // it has just ended
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
