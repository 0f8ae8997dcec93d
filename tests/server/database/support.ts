import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The initialised database that `tests/global-setup.ts` has made. */
export const template = fileURLToPath(new URL('../../../dist/database-template', import.meta.url))

/** A folder that goes with the test. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'qingtu-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a script of this folder with the compiled server. */
export function start(script: 'holder.mjs' | 'writer.mjs', ...words: readonly string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), words, { execArgv: [] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The next message of a child. Throws when it ends instead. */
export async function said(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = once(child, 'exit', { signal }).then(([code]) => Promise.reject(new Error(`the child ended with ${code}`)))
  const [message] = await Promise.race([once(child, 'message', { signal }), ended])
  waiting.abort()
  await ended.catch(() => {})
  return message
}

/** Kills a child as a power switch would and waits until it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
