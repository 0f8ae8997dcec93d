import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { photo, randomFrom } from '../fixtures/pictures.ts'
import { root } from '#build/setup'

const FILES_A_ROUND = 4

interface Told {
  readonly id: string
  readonly state: string
  readonly name: string
  readonly output: string
}

/** A client without a window, in a process of its own. */
function start(folder: string, place: string) {
  const words = ['own', 'sources', 'results'].map((name) => join(folder, name))
  const child = spawn(process.execPath, [join(root, 'tests/fixtures/jobs-process.mjs'), ...words, place], { stdio: 'pipe' })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const gone = once(child, 'exit')
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const idle = (async (): Promise<readonly Told[]> => {
    for await (const line of createInterface(child.stdout)) {
      if (line === 'begun') begin()
      const [, told] = /^idle (.*)$/.exec(line) ?? []
      if (told !== undefined) return JSON.parse(told)
    }
    throw new Error(`it ended: ${complaints}`)
  })()
  idle.catch(() => {})
  const end = async (how: 'kill' | 'close'): Promise<void> => {
    if (how === 'kill') child.kill('SIGKILL')
    else child.stdin.write('close\n')
    await gone
  }
  return { begun, idle, end }
}

const lines = async (path: string): Promise<readonly string[]> => (await readFile(path, 'utf8').catch(() => '')).trim().split('\n')

describe('a client that is killed', () => {
  test.each([
    ['folder', 20],
    ['subfolder', 10],
  ])('%s: does every job it accepted, once, and leaves nothing half', async (place, kills) => {
    await using folder = await testFolder()
    for (const name of ['own', 'sources', 'results']) await mkdir(join(folder.path, name))
    const picture = await photo(700, 500).jpeg({ quality: 92 }).toBuffer()
    const names: string[] = []
    const random = randomFrom(place.length)
    for (let kill = 0; kill < kills; kill++) {
      for (let n = 0; n < FILES_A_ROUND; n++) {
        const name = `照片 ${names.length}.jpg`
        names.push(name)
        await writeFile(join(folder.path, 'sources', name), picture)
      }
      const client = start(folder.path, place)
      // Now and then while it is still starting.
      if (kill % 5 !== 4) await client.begun
      await wait(random() * 700)
      await client.end('kill')
    }
    const client = start(folder.path, place)
    const jobs = await client.idle
    expect(jobs.map(({ name, state }) => `${name} ${state}`).toSorted()).toEqual(names.map((name) => `${name} done`).toSorted())
    const results = place === 'folder' ? join(folder.path, 'results') : join(folder.path, 'sources', '轻图')
    expect((await readdir(results)).toSorted()).toEqual(names.toSorted())
    for (const name of names) {
      expect((await sharp(join(results, name)).metadata()).format).toBe('jpeg')
      expect((await readFile(join(results, name))).length).toBeLessThanOrEqual(30 * 1024)
      expect((await readFile(join(folder.path, 'sources', name))).equals(picture)).toBe(true)
    }
    expect(await readdir(join(folder.path, 'own', 'work'))).toEqual([])
    expect(new Set(await readdir(join(folder.path, 'sources')))).toEqual(new Set([...names, ...(place === 'folder' ? [] : ['轻图'])]))
    // What was answered as accepted is among them, and whatever was set aside is settled in one way only.
    const ids = new Set(jobs.map(({ id }) => id))
    expect((await lines(join(folder.path, 'accepted.txt'))).filter((id) => !ids.has(id))).toEqual([])
    await client.end('close')
    const purse = new Set(await lines(join(folder.path, 'purse.txt')))
    const reserved = [...purse].filter((line) => line.startsWith('reserved')).map((line) => line.split(' ')[1] ?? '')
    for (const id of reserved)
      expect([id, purse.has(`committed ${id}`), purse.has(`released ${id}`)]).toEqual([id, ids.has(id), !ids.has(id)])
  })
})
