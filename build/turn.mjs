import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const lock = join(root, 'dist', '.lock')

/** Whether the process that holds the lock still lives. */
function isHeld() {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0)
  } catch {
    return false
  }
}

/**
 * Does something to dist/ while nobody else does: a second build waits for the first, then finds everything current.
 * @param {() => void | Promise<void>} work
 */
export async function inTurn(work) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch {
      if (!isHeld()) rmSync(lock, { force: true })
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}
