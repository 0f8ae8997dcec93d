import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'puppeteer-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack, weigh } from '#build/pack'
import type { JobView } from '#shared/api/jobs'
import type { Desktop } from '#shared/desktop'
import { hasClient } from '../fixtures/client.ts'
import { testFolder } from '../fixtures/engine.ts'
import { startProgram, whenReady, type Started } from '../fixtures/packed-client.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, type TestServer } from '../fixtures/server.ts'

/** What electron-builder's archive may weigh, native libraries and models apart. */
const MAX_ARCHIVE_BYTES = 10e6

/** Runs a job on a file of this computer from the page, in the words of the API, until it has ended. */
async function run(page: Page, path: string, tool: string, options: object): Promise<JobView> {
  const picker = await page.evaluateHandle(() =>
    document.body.appendChild(Object.assign(document.createElement('input'), { type: 'file' })),
  )
  // puppeteer's own type of an element that takes files.
  await (picker as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(path)
  const [id, name] = await page.evaluate(
    async (input, order) => {
      // What the preload script puts there.
      const { qingtu } = globalThis as unknown as { qingtu: Desktop<File> }
      const [file] = input.files ?? []
      if (!file) throw new Error('no file')
      const granted = await qingtu.grant([{ file }])
      if (!('data' in granted)) throw new Error(granted.error.code)
      const [given] = granted.data
      if (!given || !('key' in given)) throw new Error('not granted')
      const body = JSON.stringify({ ...order, inputs: [{ key: given.key, name: given.name }] })
      const answer = await fetch('/api/jobs', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      const { data, code } = (await answer.json()) as { data?: { jobs: { id: string }[] }; code?: string } // the envelope of the API
      return [data?.jobs[0]?.id ?? '', code ?? given.name] as const
    },
    picker,
    { tool, options },
  )
  if (id === '') throw new Error(name)
  for (;;) {
    const job = await page.evaluate(
      async (of) => ((await (await fetch(`/api/jobs/${of}`)).json()) as { data: JobView }).data, // the envelope of the API
      id,
    )
    if (job.state !== 'queued' && job.state !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe.skipIf(!hasClient || process.platform !== 'linux')('the packed client, fuses blown', () => {
  let folder: Awaited<ReturnType<typeof testFolder>>
  let server: TestServer
  let packed = ''
  let started: Started

  beforeAll(async () => {
    folder = await testFolder()
    server = await testServer()
    packed = (await pack({ system: 'linux', output: join(folder.path, 'packed') })) ?? ''
    await mkdir(join(folder.path, 'pictures'))
    started = await startProgram({ path: join(packed, 'qingtu'), args: [], folder: join(folder.path, 'own') }, server.url)
    await whenReady(started.page)
  })
  afterAll(async () => {
    await started[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  const file = async (name: string, bytes: Buffer | string): Promise<string> => {
    const path = join(folder.path, 'pictures', name)
    await writeFile(path, bytes)
    return path
  }

  test('keeps all but native libraries and models in one archive of at most 10 MB', () => {
    expect(weigh(packed).asar).toBeLessThan(MAX_ARCHIVE_BYTES)
  })

  test('is no Node for whoever asks it to be', async () => {
    const asked = promisify(execFile)(join(packed, 'qingtu'), ['-e', 'console.log("ran")', '--no-sandbox', '--version'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DISPLAY: '' },
      timeout: 20_000,
    })
    expect((await asked.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout).not.toContain('ran')
  })

  test.each([
    ['compresses a photo', 'compress-image', { goal: { by: 'size', targetKb: 100 } }, 'jpg'],
    ['cuts a subject out with its model', 'cut-out', { kind: 'general' }, 'png'],
    ['draws an SVG without starting a process of its own', 'convert-image', { format: 'png' }, 'svg'],
    ['makes a Word file of a PDF', 'pdf-to-word', {}, 'pdf'],
  ])('%s from inside its archive', async (_what, tool, options, kind) => {
    const bytes = {
      jpg: async () => photo(900, 900, 3, 1).jpeg({ quality: 95 }).toBuffer(),
      png: async () =>
        sharp({ create: { width: 400, height: 400, channels: 3, background: '#eee' } })
          .composite([{ input: Buffer.from('<svg width="400" height="400"><circle cx="200" cy="200" r="120" fill="#b22"/></svg>') }])
          .png()
          .toBuffer(),
      svg: async () => '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="#0a0"/></svg>',
      pdf: async () => pdfOf([{ content: drawn('Hello from inside', 72, 700) }]),
    }[kind]
    if (!bytes) throw new Error(kind)
    const job = await run(started.page, await file(`${tool}.${kind}`, await bytes()), tool, options)
    expect(job).toMatchObject({ state: 'done', outputs: [expect.objectContaining({ url: expect.stringContaining('/local/results/') })] })
  })
})
