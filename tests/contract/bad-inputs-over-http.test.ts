import { describe, expect, it } from 'vitest'
import { badInputs } from '../fixtures/bad-inputs.ts'
import { toSize } from '../fixtures/engine.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { errorTexts, type ErrorCode } from '#shared/errors/codes'
import type { JobView } from '#shared/api/jobs'

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
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const wrong: string[] = []
    for (const { title, name, bytes, expected } of await badInputs()) {
      const { status, code } = await tell(visitor, name, bytes)
      const accepted: readonly string[] = expected
      // A deadline or the memory limit ends a job with a 5xx of the catalogue; nothing else may.
      const isFailure = status >= 500 && code !== 'job.timed-out'
      if (!accepted.includes(code) || isFailure) wrong.push(`${title}: ${status} ${code}, expected ${accepted.join(' or ')}`)
    }
    expect(wrong).toEqual([])
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })
})
