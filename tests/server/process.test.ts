import { describe, expect, it } from 'vitest'
import { crashRounds } from '../fixtures/crash-rounds.ts'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { paymentKills } from '../fixtures/payment-kills.ts'
import { photo } from '../fixtures/pictures.ts'
import { refusedStart, serverProcess } from '../fixtures/server-process.ts'
import { Visitor } from '../fixtures/server.ts'

const picture = (side: number): Promise<Buffer> => photo(side, side).jpeg({ quality: 95 }).toBuffer()

describe('a server process', () => {
  it('refuses a data folder another one works on, and says which and what to do', async () => {
    await using folder = await testFolder()
    await using first = await serverProcess(folder.path)
    const { code, text } = await refusedStart({ PORT: '0', DATA_DIR: folder.path })
    expect(code).toBe(1)
    expect(text).toContain(`进程 ${first.pid}`)
    expect(text).toContain('DATA_DIR')
    expect(text).not.toContain('    at ')
    await expect.poll(async () => (await fetch(`${first.url}/readyz`)).status, { timeout: 20_000 }).toBe(200)
  })

  it.each([
    [{ PORT: 'eighty' }, 'PORT'],
    [{ OSS_BUCKET: 'pictures' }, 'OSS_ROLE_ARN'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY'],
  ])('refuses %j in words', async (environment, name) => {
    await using folder = await testFolder()
    const { code, text } = await refusedStart({ DATA_DIR: folder.path, ...environment })
    expect([code, text]).toEqual([1, expect.stringContaining(name)])
  })

  it('says when its port is taken', async () => {
    await using folder = await testFolder()
    await using first = await serverProcess(folder.path)
    await using other = await testFolder()
    const { code, text } = await refusedStart({ PORT: new URL(first.url).port, DATA_DIR: other.path })
    expect([code, text]).toEqual([1, expect.stringContaining('已被占用')])
  })

  it('ends in order on Ctrl-C in the middle of work, and the next one goes on with it', async () => {
    await using folder = await testFolder()
    const server = await serverProcess(folder.path)
    const visitor = await Visitor.enter(server.url)
    const slow = await photo(2600, 2000).png({ compressionLevel: 1 }).toBuffer()
    const ids = await visitor.start(
      [0, 1, 2].map((n) => ({ name: `${n}.png`, bytes: slow })),
      toSize(100),
    )
    expect(await server.end('SIGINT')).toBe(0)
    await using next = await serverProcess(folder.path)
    visitor.url = next.url
    visitor.pollMs = 600
    for (const id of ids) expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  })

  // `npm run soak:crash` asks for more rounds.
  it('killed with -9 again and again loses nothing it accepted and does nothing twice', async () => {
    const report = await crashRounds({ rounds: 5, jobs: 12, seed: 7, picture: await picture(900) })
    expect(report).toMatchObject({ lost: 0, wrong: 0, unsettled: 0, orphans: 0 })
    expect(report.done).toBe(report.accepted)
    expect(report.accepted).toBe(12)
  })

  // `npm run soak:money` asks for more rounds.
  it('killed with -9 between a payment and its credit credits it once when it is back', async () => {
    const report = await paymentKills({ rounds: 2, seed: 5 })
    expect(report).toEqual({ paid: 2, open: 2, lost: 0, grants: 2, credits: 2000 })
  })
})
