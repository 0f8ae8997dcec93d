import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { connect, type Browser, type Page } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { electronBinary } from '#build/electron-binary'
import { pack, weigh } from '#build/pack'
import { root } from '#build/setup'
import { openDisplay } from '../fixtures/display.ts'
import { testFolder } from '../fixtures/engine.ts'
import { serverProcess } from '../fixtures/server-process.ts'

const HOUR_MS = 3_600_000
const STARTS = 9
/** After which a page has done what it puts off. */
const IDLE_MS = 20_000
const MB = 1024 ** 2
/** How much longer than an empty window the client may take until its page is seen. */
const GOAL = 2.5

interface Program {
  readonly path: string
  readonly args: readonly string[]
  readonly folder: string
}

interface Started extends AsyncDisposable {
  readonly page: Page
  readonly pid: number
  readonly startedAt: number
  /** From the start of the process until something was painted, in milliseconds. */
  readonly paintedMs: number
}

/** Chromium says where it can be asked; nothing waits for us to do so, as it would in a program that Playwright starts. */
async function ask(child: ChildProcess): Promise<Browser> {
  if (!child.stderr) throw new Error('no output')
  for await (const line of createInterface(child.stderr)) {
    const [, address] = /DevTools listening on (ws:\S+)/.exec(line) ?? []
    child.stderr.resume()
    if (address !== undefined) return connect({ browserWSEndpoint: address, defaultViewport: null })
  }
  throw new Error('the program ended')
}

const whenPainted = async (page: Page): Promise<number> => {
  const at = await page.waitForFunction(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return paint && performance.timeOrigin + paint.startTime
  })
  return (await at.jsonValue()) ?? NaN
}

/** When the page can be given files. */
const whenReady = async (page: Page): Promise<number> => {
  const at = await page.waitForFunction(() => document.querySelector('input[type=file]') !== null && Date.now())
  return (await at.jsonValue()) || NaN
}

async function start({ path, args, folder }: Program, server: string): Promise<Started> {
  const display = await openDisplay()
  const environment = { ...(display.name !== undefined && { DISPLAY: display.name }), QINGTU_SERVER: server }
  const startedAt = Date.now()
  const switches = ['--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${folder}`]
  const child = spawn(path, [...switches, ...args], { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = once(child, 'exit')
  const browser = await ask(child)
  const target = await browser.waitForTarget((one) => one.type() === 'page')
  const page = await target.page()
  if (!page) throw new Error('no window')
  const paintedMs = (await whenPainted(page)) - startedAt
  const end = async (): Promise<void> => {
    await browser.disconnect()
    // As a person ends it, so that caches are written.
    child.kill('SIGTERM')
    await gone
    await display[Symbol.asyncDispose]()
  }
  return { page, pid: child.pid ?? 0, startedAt, paintedMs, [Symbol.asyncDispose]: end }
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
      await using started = await start(programs[name], server.url)
      if (round > 0) times[name].push(started.paintedMs)
      if (round > 0 && name === 'client') ready.push((await whenReady(started.page)) - started.startedAt)
    }
  }
  const [empty, client] = [median(times.empty), median(times.client)]
  console.log(`empty window: median ${Math.round(empty)} ms of ${times.empty.map(Math.round).join(' ')}`)
  console.log(`client:       median ${Math.round(client)} ms of ${times.client.map(Math.round).join(' ')}`)
  console.log(`client, until it takes files: median ${Math.round(median(ready))} ms`)
  console.log(`ratio ${(client / empty).toFixed(2)} (goal ${GOAL})`)
  for (const name of ['empty', 'client'] as const) {
    await using started = await start(programs[name], server.url)
    await sleep(IDLE_MS)
    const each = family(started.pid).map(held)
    const sum = (kind: 'resident' | 'proportional'): string => (each.reduce((total, one) => total + one[kind], 0) / MB).toFixed(0)
    console.log(
      `${name}, idle: ${each.length} processes, ${sum('proportional')} MB (${sum('resident')} MB with what they share counted each time)`,
    )
  }
  expect(client / empty).toBeLessThanOrEqual(GOAL)
})
