import { readdir } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { badInputs } from '../fixtures/bad-inputs.ts'
import { expectedOf } from '../fixtures/bad-inputs/bad-input.ts'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { errorTexts, type ErrorCode } from '#shared/errors/codes'
import type { JobView } from '#shared/api/jobs'

const server = sharedServer()

// Made first: it takes seconds, and a connection left idle meanwhile is closed.
const bad = await badInputs()

interface Told {
  readonly status: number
  readonly code: string
}

/** What a caller is told of a file: at the door, or by its job. */
async function tell(visitor: Visitor, name: string, bytes: Buffer): Promise<Told> {
  const inputs = [{ key: await visitor.upload(bytes), name }]
  const response = await visitor.send('/api/jobs', { tool: 'compress-image', options: toSize(20), inputs })
  const body = (await response.json()) as { code?: string; data?: { jobs?: { id: string }[] } } // the API's envelopes
  if (!response.ok) return { status: response.status, code: body.code ?? '' }
  const job: JobView = await visitor.ended(body.data?.jobs?.[0]?.id ?? '')
  if (!job.error) return { status: 200, code: job.state }
  const code = job.error.code as ErrorCode // checked against the table on the next line
  return { status: errorTexts[code].status, code }
}

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
    expect((await fetch(`${server().url}/readyz`)).status).toBe(200)
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
