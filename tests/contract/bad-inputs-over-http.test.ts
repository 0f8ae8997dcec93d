import { readdir, readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { root } from '#build/setup'
import { badInputs } from '../fixtures/bad-inputs.ts'
import { expectedOf } from '../fixtures/bad-inputs/bad-input.ts'
import { elsewhere } from '../fixtures/bad-inputs/elsewhere.ts'
import { hostileNames } from '../fixtures/bad-inputs/names.ts'
import { badRequests } from '../fixtures/bad-inputs/requests.ts'
import { badPdfs } from '../fixtures/bad-pdfs.ts'
import { toSize } from '../fixtures/engine.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { photo } from '../fixtures/pictures.ts'
import { Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { errorTexts, type ErrorCode } from '#shared/errors/codes'
import type { JobView } from '#shared/api/jobs'
import type { ToolId } from '#shared/tools/index'

const server = sharedServer()

// Made first: it takes seconds, and a connection left idle meanwhile is closed.
const bad = await badInputs()
const [pdfs, requests] = [await badPdfs(), await badRequests()]

interface Told {
  readonly status: number
  readonly code: string
}

/** What a caller is told of a file: at the door, or by its job. */
async function tell(
  visitor: Visitor,
  name: string,
  bytes: Buffer,
  tool: ToolId = 'compress-image',
  options: unknown = toSize(20),
): Promise<Told> {
  const inputs = [{ key: await visitor.upload(bytes), name }]
  const response = await visitor.send('/api/jobs', { tool, options, inputs })
  const body = (await response.json()) as { code?: string; data?: { jobs?: { id: string }[] } } // the API's envelopes
  if (!response.ok) return { status: response.status, code: body.code ?? '' }
  const job: JobView = await visitor.ended(body.data?.jobs?.[0]?.id ?? '')
  if (!job.error) return { status: 200, code: job.state }
  const code = job.error.code as ErrorCode // checked against the table on the next line
  return { status: errorTexts[code].status, code }
}

test('each of the 82 bad inputs is tried', async () => {
  const tables = [...bad, ...pdfs, ...requests, ...hostileNames]
  const tried = new Set([...tables.map(({ number }) => number), ...Object.keys(elsewhere).map(Number)])
  expect(Array.from({ length: 82 }, (_, at) => at + 1).filter((number) => !tried.has(number))).toEqual([])
  for (const [file, words] of Object.values(elsewhere)) expect(await readFile(join(root, 'tests', file), 'utf8')).toContain(words)
})

describe('files strangers upload', () => {
  it('end in a result or in a sentence, never in a 500, and hold up nobody', async () => {
    const visitor = await Visitor.enter(server().url)
    const wrong: string[] = []
    for (const input of bad) {
      const { status, code } = await tell(visitor, input.name, input.bytes)
      const accepted: readonly string[] = expectedOf(input, 'compress-image')
      // A deadline or the memory limit ends a job with a 5xx of the catalogue; nothing else may.
      const isFailure = status >= 500 && code !== 'job.timed-out'
      if (!accepted.includes(code) || isFailure)
        wrong.push(`#${input.number} ${input.title}: ${status} ${code}, expected ${accepted.join(' or ')}`)
    }
    expect(wrong).toEqual([])
    await expect.poll(async () => (await fetch(`${server().url}/readyz`)).status, { timeout: 20_000 }).toBe(200)
  })

  it('of PDFs end in a result or in a sentence too, and none is charged for', async () => {
    const visitor = await Visitor.enter(server().url)
    const wrong: string[] = []
    // Those without end would take the five minutes a document has.
    for (const { number, title, bytes, expected } of pdfs.filter(({ isEndless }) => !isEndless)) {
      const { status, code } = await tell(visitor, 'a.pdf', bytes, 'pdf-to-text', {})
      const accepted: readonly string[] = expected
      if (!accepted.includes(code) || (status >= 500 && code !== 'job.out-of-memory')) wrong.push(`#${number} ${title}: ${status} ${code}`)
    }
    expect(wrong).toEqual([])
    const failed = new Visitor(server().url)
    const { userid: openid } = await failed.read<{ userid: string }>('/api/user/tourist')
    const free = (): Promise<unknown> => failed.post('/api/user/cvtnum', { openid })
    const before = await free()
    for (const { bytes } of pdfs.filter(({ number }) => number === 60 || number === 68))
      await tell(failed, 'a.pdf', bytes, 'pdf-to-text', {})
    expect(await free()).toEqual(before)
  })

  it('#82 with options that can not be are told which, as the engine tells it', async () => {
    const visitor = await Visitor.enter(server().url)
    const wrong: string[] = []
    for (const { number, title, tool, options, bytes, expected } of requests.filter(({ bytes: { length } }) => length < 1024 ** 2)) {
      const { status, code } = await tell(visitor, 'a.bin', bytes, tool, options)
      // What changes all objects is refused before its options are read.
      const accepted: readonly string[] = title === 'a prototype in JSON' ? ['request.invalid'] : [expected]
      if (!accepted.includes(code) || status >= 500) wrong.push(`#${number} ${title}: ${status} ${code}, expected ${expected}`)
    }
    expect(wrong).toEqual([])
  })

  it('#5 a picture is nothing for a tool of PDFs', async () => {
    const visitor = await Visitor.enter(server().url)
    const picture = await photo(64, 48).jpeg().toBuffer()
    expect(await tell(visitor, 'a.pdf', picture, 'pdf-to-text', {})).toEqual({ status: 415, code: 'file.unsupported' })
  })

  it('#64 that name addresses elsewhere bring nobody there', async () => {
    let visits = 0
    const listener = createServer((socket) => void ((visits += 1), socket.destroy()))
    await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void listener.close())
    const { port } = listener.address() as AddressInfo // it listens on a port
    const url = `http://127.0.0.1:${port}/`
    const file = `<< /FS /URL /F (${url}a) >>`
    const actions = [`/S /URI /URI (${url})`, `/S /GoToR /F ${file} /D [0 /Fit]`, `/S /SubmitForm /F ${file}`, `/S /ImportData /F ${file}`]
    const chain = actions.map((action) => `<< ${action} >>`).join(' ')
    const pdf = pdfOf(
      [{ content: drawn('Hello', 50, 700) }],
      `/OpenAction << ${actions[0]} /Next [${chain}] >> /AA << /WC << ${actions[2]} >> >> /URI << /Base (${url}) >>`,
    )
    const external = pdf.toString('latin1').replace(/<< \/Length \d+ >>/, `<< /Length 0 /F ${file} >>`)
    const visitor = await Visitor.enter(server().url)
    for (const tool of ['pdf-to-text', 'pdf-to-word', 'pdf-to-ofd'] as const) {
      expect((await tell(visitor, 'a.pdf', pdf, tool, {})).code).toBe('done')
      await tell(visitor, 'b.pdf', Buffer.from(external, 'latin1'), tool, {})
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${url}a.png" width="9" height="9"/></svg>`
    await tell(visitor, 'a.svg', Buffer.from(svg), 'convert-image', { format: 'png' })
    expect(visits).toBe(0)
  })

  it.skipIf(process.platform !== 'linux')('are read by processes that see none of the data of others, or the server says so', async () => {
    const metrics = await (await fetch(`${server().url}/metrics`)).text()
    const [, level = ''] = /^qingtu_child_isolation\{level="(\w+)"\} 1$/m.exec(metrics) ?? []
    expect(['namespaces', 'limits', 'none']).toContain(level)
    if (level !== 'namespaces') return
    const visitor = await Visitor.enter(server().url)
    await visitor.start([{ name: 'a.jpg', bytes: await photo(64, 48).jpeg().toBuffer() }], toSize(20))
    const [pid] = await vi.waitUntil(() => server().pool.pids.length > 0 && server().pool.pids, { timeout: 30_000 })
    // What lies where, in its own eyes: the workspaces and nothing beside them.
    await expect.poll(() => readdir(`/proc/${pid}/root${server().folder}`).catch(() => []), { timeout: 30_000 }).toEqual(['work'])
    expect(await readdir(server().folder)).toContain('objects')
    expect(await readdir(`/proc/${pid}/root/etc`)).not.toContain('passwd')
  })

  it('#12 are what they hold, whatever type they were sent as', async () => {
    const visitor = await Visitor.enter(server().url)
    const { client, prefix } = await visitor.storage()
    const key = `${prefix}${crypto.randomUUID()}`
    await client.put(key, await photo(120, 90).png().toBuffer(), { mime: 'text/html' })
    const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', {
      tool: 'compress-image',
      options: toSize(3),
      inputs: [{ key, name: 'a.jpg' }],
    })
    expect((await visitor.ended(jobs[0]?.id ?? '')).outputs[0]).toMatchObject({ name: 'a.png', format: 'png' })
  })

  it('#14 #72 come back as files to keep, not as pages, under a name that ends no header', async () => {
    const visitor = await Visitor.enter(server().url)
    const php = bad.find(({ name }) => name === 'php.jpg')
    const name = 'a\r\nSet-Cookie: x=1"<img src=x onerror=alert(1)>\u202Egpj.jpg'
    const [id = ''] = await visitor.start([{ name, bytes: php?.bytes ?? Buffer.alloc(0) }], toSize(1000))
    const [output] = (await visitor.ended(id)).outputs
    const { headers } = await visitor.fetch(output?.url ?? '')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[^"<>\r\n]+"; filename\*=UTF-8''[\w%.-]+$/)
    expect(headers.getSetCookie().join()).not.toContain('x=1')
    expect(output?.name).not.toMatch(/[<>"\r\n\u202e]/)
  })
})
