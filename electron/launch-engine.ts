import { tmpdir } from 'node:os'
import { app, utilityProcess } from 'electron'
import { bareEnvironment, type Child } from '#engine/launch'
import type { Report } from '#engine/processor'

/** What the system says of a process' memory is asked so often at most. */
const MEASURED_EVERY_MS = 500

let measuredAt = -Infinity
let resident: ReadonlyMap<number, number> = new Map()

/** What a process holds, by what the system tells Electron: also of one too busy to tell it itself. */
function residentOf(pid: number): number | undefined {
  if (performance.now() - measuredAt > MEASURED_EVERY_MS) {
    measuredAt = performance.now()
    resident = new Map(app.getAppMetrics().map((one) => [one.pid, one.memory.workingSetSize * 1024]))
  }
  return resident.get(pid)
}

/**
 * How a process ended, in the words by which a kill from outside is told from a crash. Electron gives what `waitpid` gave: a signal's number, or
 * an exit code times 256. On Windows whatever ends a process leaves 1 there, and so does a script that failed, which says where.
 */
export function endOf(code: number, complaints: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32'
  const wasKilled = isWindows ? code === 1 && !/^\s+at /m.test(complaints) : code === 9
  if (wasKilled) return 'exit SIGKILL'
  return `exit ${!isWindows && code === 15 ? 'SIGTERM' : code} ${complaints}`.trim()
}

/** Starts children for the engine on a compiled `engine-child`. */
export function launchUtility(script: string): () => Child {
  return () => {
    const child = utilityProcess.fork(script, [], {
      env: bareEnvironment(),
      cwd: tmpdir(),
      execArgv: ['--max-old-space-size=512', '--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe'],
      serviceName: '轻图',
    })
    let complaints = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2000)))
    let isKilled = false
    // Electron's own `kill` asks politely, and decoders do not listen.
    const end = (): void => {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL')
    }
    child.once('spawn', () => isKilled && end())
    return {
      get pid() {
        return child.pid
      },
      resident: () => (child.pid === undefined ? undefined : residentOf(child.pid)),
      send: (order) => child.postMessage(order),
      kill: () => {
        isKilled = true
        end()
      },
      onReport: (listener) => void child.on('message', (report: Report) => listener(report)),
      onExit: (listener) => void child.once('exit', (code) => listener(endOf(code, complaints))),
    }
  }
}
