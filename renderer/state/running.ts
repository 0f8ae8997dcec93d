import type { Status } from './rows.ts'

type Running = Extract<Status, { at: 'running' }>

const STILL_MS = 2000
const SECONDS_SHOWN_FROM = 3

/** A row's state on news of its running job; times on the clock of `performance.now()`. */
export function runningStatus(before: Status | undefined, fraction: number, nowMs: number, step?: string): Running {
  const told = { at: 'running', fraction, ...(step !== undefined && { step }) } as const
  if (before?.at !== 'running') return { ...told, sinceMs: nowMs, movedMs: nowMs }
  return { ...told, sinceMs: before.sinceMs, movedMs: fraction === before.fraction ? before.movedMs : nowMs }
}

/** Whether a job has told nothing new for so long that its bar alone would look stuck. */
export const isStill = ({ movedMs }: Running, nowMs: number): boolean => nowMs - movedMs >= STILL_MS

/** How long a job has been running as far as this page saw it, in words; empty in its first seconds. */
export function elapsedText({ sinceMs }: Running, nowMs: number): string {
  const seconds = Math.floor((nowMs - sinceMs) / 1000)
  if (seconds < SECONDS_SHOWN_FROM) return ''
  return seconds < 60 ? `${seconds} 秒` : `${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒`
}
