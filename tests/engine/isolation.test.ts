import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '#build/setup'
import { descendants, isAlive } from '../fixtures/processes.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { isolated, isolationOf, openOwnFolder, type Isolation, type View } from '#engine/isolation'
import { launchNode, residentBytes } from '#engine/launch'

const started = promisify(execFile)
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

/** What listens outside and counts who came. */
async function listen() {
  let visits = 0
  const open = async (where: ListenOptions): Promise<Server> => {
    const server = createServer((connection) => void ((visits += 1), connection.destroy()))
    await new Promise<void>((resolve) => void server.listen(where, () => resolve()))
    return server
  }
  const tcp = await open({ port: 0, host: '127.0.0.1' })
  const { port } = tcp.address() as AddressInfo // it listens on a port
  const servers = [tcp, await open({ path: join(folder.path, 'socket') }), await open({ path: `\0qingtu-hostile-${port}` })]
  const udp = createSocket('udp4', () => (visits += 1))
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve))
  return {
    port,
    visits: () => visits,
    close: () => (udp.close(), servers.forEach((server) => server.close())),
  }
}

let folder: Awaited<ReturnType<typeof testFolder>>
let network: Awaited<ReturnType<typeof listen>>
let view: View
let given: string

beforeAll(async () => {
  folder = await testFolder()
  network = await listen()
  const inside = (name: string): string => join(folder.path, name)
  const [work, outside, models] = [inside('work'), inside('outside'), inside('models')]
  for (const path of [work, outside, models]) await mkdir(path)
  await writeFile(join(outside, 'secret'), 'secret')
  await writeFile(join(models, 'model'), 'a model')
  await copyFile(fixture('hostile-child.mjs'), join(models, 'hostile.mjs'))
  view = { folder: work, reads: [models] }
  given = JSON.stringify({
    port: network.port,
    socket: join(folder.path, 'socket'),
    secret: join(outside, 'secret'),
    outside,
    program: join(root, 'dist/engine'),
    folder: work,
    readable: join(models, 'model'),
    parent: process.pid,
  })
})
afterAll(async () => {
  network.close()
  await folder[Symbol.asyncDispose]()
})

/** What the hostile script achieved, so far apart. */
async function hostileAt(level: Isolation): Promise<Record<string, unknown>> {
  const script = join(folder.path, 'models/hostile.mjs')
  const own = openOwnFolder(view)
  onTestFinished(() => rm(own, { recursive: true }))
  const [program = '', ...rest] = isolated(level, view, own, [process.execPath, script, given])
  process.env['SECRET_KEY'] = 'to be kept'
  onTestFinished(() => void delete process.env['SECRET_KEY'])
  const { stdout } = await started(program, rest, { env: level === 'none' ? process.env : { PATH: process.env['PATH'] } })
  return JSON.parse(stdout) as Record<string, unknown> // printed by the script
}

// Where the system refuses namespaces there is nothing to see of them: CI's and developers' Linux allow them.
const refused = isolationOf({ folder: root, reads: [] }) !== 'namespaces'

describe.skipIf(refused)('a child in namespaces of its own', () => {
  test('reaches no network, no file but those of its view, and no process', async () => {
    const achieved = await hostileAt('namespaces')
    expect(network.visits()).toBe(0)
    expect(achieved).toEqual({
      tcp: 'ENETUNREACH',
      unixSocket: 'ENOENT',
      abstractSocket: 'ECONNREFUSED',
      outsideNetwork: 'ENETUNREACH',
      udp: expect.anything(),
      dns: 'EAI_AGAIN',
      readSecret: 'ENOENT',
      readPasswords: 'ENOENT',
      readParentsEnvironment: 'ENOENT',
      ownEnvironment: false,
      signalParent: 'ESRCH',
      writeOutside: 'ENOENT',
      writeProgram: 'EROFS',
      writeRoot: 'EROFS',
      writeKernel: 'EROFS',
      mount: 'failed',
      newNamespace: 'failed',
      raiseLimits: 'failed',
      writeFolder: true,
      readView: 'a model',
      processes: 1,
      capabilities: '0000000000000000',
      cores: '0',
    })
    expect(await readFile(join(view.folder, 'result'), 'utf8')).toBe('written')
  })

  test('would reach them all without', async () => {
    const achieved = await hostileAt('none')
    expect(achieved).toMatchObject({
      tcp: true,
      unixSocket: true,
      abstractSocket: true,
      readSecret: true,
      signalParent: true,
      ownEnvironment: true,
    })
    expect(achieved['writeOutside']).toBe(true)
    expect(network.visits()).toBeGreaterThanOrEqual(3)
  })

  test('is known by its own number, so that it is weighed, and is gone with its folder when it is killed', async () => {
    const child = launchNode(view)
    await new Promise<void>((resolve) => child.onReport(() => resolve()))
    const { pid = 0 } = child
    expect(residentBytes(pid)).toBeGreaterThan(30 * 1024 ** 2)
    const gone = new Promise<void>((resolve) => child.onExit(() => resolve()))
    child.kill()
    await gone
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect.poll(() => readdir(view.folder).then((names) => names.filter((name) => name.includes('-child-')).length)).toBe(0)
  })

  const noSessions = !existsSync('/proc/self/autogroup')

  test.skipIf(noSessions)('gives way to its parent, both as a process and as a session', async () => {
    const child = launchNode({ ...view, niceness: 7 })
    onTestFinished(() => child.kill())
    await new Promise<void>((resolve) => child.onReport(() => resolve()))
    const { pid = 0 } = child
    expect(getPriority(pid)).toBe(Math.min(19, getPriority() + 7))
    await expect.poll(() => readFile(`/proc/${pid}/autogroup`, 'utf8')).toMatch(/nice 7$/m)
  })

  test('is gone when it is killed in the moment of its start, before it is tied to what makes its namespaces', async () => {
    const slow = join(folder.path, 'slow')
    await mkdir(slow)
    const untied = '#!/bin/bash\nexec /usr/bin/unshare "${@/#--kill-child/--fork}"\n'
    await writeFile(join(slow, 'unshare'), untied, { mode: 0o755 })
    const { PATH = '' } = process.env
    process.env['PATH'] = `${slow}:${PATH}`
    onTestFinished(() => void (process.env['PATH'] = PATH))
    const child = launchNode(view)
    await new Promise<void>((resolve) => child.onReport(() => resolve()))
    const { pid = 0 } = child
    child.kill()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('is gone with all it started when its parent is killed, though it listens to nobody', async () => {
    const script = join(folder.path, 'models/hostile.mjs')
    const place = join(folder.path, 'stays')
    await mkdir(place)
    await copyFile(script, join(place, 'hostile.mjs'))
    const rest = ['stay', place, join(place, 'hostile.mjs'), given.replaceAll(view.folder, place), 'stay']
    const parent = spawn(process.execPath, [fixture('isolated-parent.mjs'), ...rest], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise<void>((resolve) => parent.stdout.on('data', (text: Buffer) => text.includes('\n') && resolve()))
    const family = descendants(parent.pid ?? 0)
    expect(family.length).toBeGreaterThanOrEqual(3)
    parent.kill('SIGKILL')
    await expect.poll(() => family.filter(isAlive), { timeout: 20_000 }).toEqual([])
  })
})

test.skipIf(refused)('where the system refuses namespaces a child still works, within limits', async () => {
  const place = join(folder.path, 'refused')
  await mkdir(place)
  await writeFile(join(place, 'a.jpg'), await photo(64, 48).jpeg().toBuffer())
  const command = [process.execPath, fixture('isolated-parent.mjs'), 'job', place, join(place, 'a.jpg'), place]
  const refusing = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--mount-proc', 'sh', '-c']
  const { stdout } = await started('unshare', [...refusing, 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', 'sh', ...command])
  expect(JSON.parse(stdout)).toEqual({ level: 'limits', results: 1 })
})
