import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#shared/errors/app-error'

/** Bytes after which a new file is begun, and how many old ones stay. */
const FULL_BYTES = 1024 ** 2
const OLD = 3
const LONGEST_LINE = 8000

/** Notes what happened, with what was thrown where something was. */
export type Log = (message: string, error?: unknown) => void

/** Of paths only the last name, of addresses no query: they may hold what is nobody's business. */
export const scrubbed = (text: string): string =>
  text
    .replaceAll(homedir(), '~')
    .replace(/(\b[a-z]+:\/\/[^\s?#'")]*)[?#][^\s'")]*/gi, '$1')
    .replace(/(['"`])(?:[^'"`\n]*[\\/])([^'"`\\/\n]+)\1/g, '$1…/$2$1')
    .replace(/(?<![:\w./])(?:[A-Za-z]:|~)?(?:[\\/][^\\/\s'"()]+)*[\\/]([^\\/\s'"()]+)/g, '…/$1')

/** What was thrown, as a line of a log: no data, which may hold names, and causes inside out. */
export function described(thrown: unknown): string {
  if (thrown instanceof AppError && thrown.cause === undefined) return thrown.code
  if (!(thrown instanceof Error)) return scrubbed(String(thrown))
  const { name, message, stack = '', cause } = thrown
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const text = `${name}: ${message} ${frames.map((line) => line.trim()).join(' ')}`
  return cause === undefined ? scrubbed(text) : `${scrubbed(text)} <- ${described(cause)}`
}

/**
 * A log in a folder. Each line is on the disk before the call returns, so the last one before a crash is there; what can't be written is
 * lost, and nothing fails for it.
 */
export function openLog(folder: string, now: () => Date = () => new Date()): Log {
  const file = join(folder, 'client.log')
  return (message, error) => {
    const said = error === undefined ? message : `${message}: ${described(error)}`
    try {
      mkdirSync(folder, { recursive: true })
      if (existsSync(file) && statSync(file).size > FULL_BYTES) turn(folder)
      appendFileSync(file, `${now().toISOString()} ${said.replace(/\s*[\r\n]+\s*/g, ' ').slice(0, LONGEST_LINE)}\n`)
    } catch {
      // A full disk ends no program.
    }
  }
}

/** Makes room for a new file: the oldest goes. */
function turn(folder: string): void {
  const name = (age: number): string => join(folder, age === 0 ? 'client.log' : `client.${age}.log`)
  for (let age = OLD - 1; age >= 0; age--) if (existsSync(name(age))) renameSync(name(age), name(age + 1))
}
