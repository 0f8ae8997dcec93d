import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { electronBinary } from '#build/electron-binary'
import { pack, weigh } from '#build/pack'
import { root } from '#build/setup'
import { testFolder } from '../fixtures/engine.ts'
import { startProgram, whenReady } from '../fixtures/packed-client.ts'
import { serverProcess } from '../fixtures/server-process.ts'

const HOUR_MS = 3_600_000
const STARTS = 9
/** After which a page has done what it puts off. */
const IDLE_MS = 20_000
const MB = 1024 ** 2
/** How much longer than an empty window the client may take until its page is seen. */
const GOAL = 2.5

const whenPainted = async (page: Page): Promise<number> => {
  const at = await page.waitForFunction(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return paint && performance.timeOrigin + paint.startTime
  })
  return (await at.jsonValue()) ?? NaN
}

const median = (values: readonly number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN

/** A process and all it started. */
function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
        return [[Number(name), Number(parent)] as const]
      } catch {
        return [] // it has just ended
      }
    })
  const found = [pid]
  for (const one of found) found.push(...parents.flatMap(([child, parent]) => (parent === one ? [child] : [])))
  return found
}

/** What a process holds, in bytes: all of it, and with what it shares divided among those who share it. */
function held(pid: number): { resident: number; proportional: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const read = (name: string): number => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return { resident: read('Rss'), proportional: read('Pss') }
}

it('a start of the packed client beside an empty window, and what it holds when idle', { timeout: HOUR_MS }, async () => {
  const binary = electronBinary()
  if (binary === undefined) throw new Error('没有 Electron：npx install-electron，或设 ELECTRON_BIN')
  await using folder = await testFolder()
  const packed = await pack({ system: 'linux', output: join(folder.path, 'packed') })
  if (packed === undefined) throw new Error('not packed')
  const { asar, beside, all } = weigh(packed)
  console.log(`app.asar ${(asar / MB).toFixed(2)} MB, beside it ${(beside / MB).toFixed(0)} MB, all ${(all / MB).toFixed(0)} MB`)
  await using server = await serverProcess(join(folder.path, 'server'))
  const programs = {
    empty: { path: binary, args: [join(root, 'tests/fixtures/empty-window')], folder: join(folder.path, 'empty') },
    client: { path: join(packed, 'qingtu'), args: [], folder: join(folder.path, 'client') },
  }
  const times: Record<keyof typeof programs, number[]> = { empty: [], client: [] }
  const ready: number[] = []
  // The first round fills the disk's cache and the programs' own.
  for (let round = 0; round <= STARTS; round++) {
    for (const name of ['empty', 'client'] as const) {
      await using started = await startProgram(programs[name], server.url)
      const paintedMs = (await whenPainted(started.page)) - started.startedAt
      if (round > 0) times[name].push(paintedMs)
      if (round > 0 && name === 'client') ready.push((await whenReady(started.page)) - started.startedAt)
    }
  }
  // Within a round, since what else the machine does changes slowly.
  const ratio = median(times.client.map((ms, round) => ms / (times.empty[round] ?? NaN)))
  for (const name of ['empty', 'client'] as const) {
    console.log(`${name.padEnd(6)} painted: median ${Math.round(median(times[name]))} ms of ${times[name].map(Math.round).join(' ')}`)
  }
  console.log(`client, until it takes files: median ${Math.round(median(ready))} ms`)
  console.log(`median ratio of a round ${ratio.toFixed(2)} (goal ${GOAL})`)
  for (const name of ['empty', 'client'] as const) {
    await using started = await startProgram(programs[name], server.url)
    await sleep(IDLE_MS)
    const each = family(started.pid).map(held)
    const sum = (kind: 'resident' | 'proportional'): string => (each.reduce((total, one) => total + one[kind], 0) / MB).toFixed(0)
    console.log(
      `${name}, idle: ${each.length} processes, ${sum('proportional')} MB (${sum('resident')} MB with what they share counted each time)`,
    )
  }
  expect(ratio).toBeLessThanOrEqual(GOAL)
})
