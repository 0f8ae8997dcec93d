import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { badInputs } from '../fixtures/bad-inputs.ts'
import { expectedOf, type BadInput } from '../fixtures/bad-inputs/bad-input.ts'
import { toSize } from '../fixtures/engine.ts'
import { inputOf, testJobs, type Page } from '../fixtures/local-jobs.ts'
import { photo } from '../fixtures/pictures.ts'
import { unzip } from '../fixtures/unzip.ts'
import { errorTexts } from '#shared/errors/codes'

const picture = await photo(300, 200).jpeg({ quality: 92 }).toBuffer()
const small = toSize(8)

/** What a call is refused with. */
const refusal = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

const expectedHere = (input: BadInput): readonly string[] => expectedOf(input, 'compress-image')

const create = (page: Page, body: unknown, headers: Record<string, string> = {}) => refusal(page.post('/api/jobs', body, headers))

describe('calls', () => {
  test('are answered as the server answers them: the envelope, the status, and what nobody serves', async () => {
    await using local = await testJobs()
    const answer = await local.page.ask('/api/jobs/none')
    const { ref, ...body } = (await answer.json()) as Record<string, unknown> // an object, as all failures are
    expect([answer.status, body, typeof ref]).toEqual([404, { code: 'job.not-found', data: {} }, 'string'])
    for (const [path, method] of [
      ['/api/jobs', 'PUT'],
      ['/api/jobs/a/b', 'GET'],
      ['/api/user/tourist', 'GET'],
      ['/local/results/a', 'GET'],
      ['/local/files/a', 'POST'],
      ['/local/files/%E0%A4%A', 'POST'],
    ] as const) {
      const { status } = await local.page.ask(path, { method })
      expect([path, status]).toEqual([path, errorTexts['address.unknown'].status])
    }
  })

  test('refuse what no tool takes', async () => {
    await using local = await testJobs()
    const { page } = local
    const [file] = await page.grant([await local.source('a.jpg', picture)])
    if (!file) throw new Error('not granted')
    const inputs = [inputOf(file)]
    const tool = 'compress-image'
    expect(await create(page, { tool: 'none', options: {}, inputs })).toBe('404 tool.unavailable')
    expect(await create(page, { tool, options: { goal: { by: 'size', targetKb: -1 } }, inputs })).toBe('400 options.target-not-positive')
    expect(await create(page, { tool, options: { unknown: 1 }, inputs })).toBe('400 options.invalid')
    expect(await create(page, { tool, options: small, inputs: [] })).toBe('400 request.invalid')
    expect(await create(page, { tool, options: small, inputs: [{ key: '', name: '' }] })).toBe('400 request.invalid')
    expect(await create(page, { tool, options: small, inputs: Array.from({ length: 201 }, () => inputs[0]) })).toBe('400 batch.too-many')
    expect(await create(page, { tool, options: small, inputs }, { 'idempotency-key': 'short' })).toBe('400 request.invalid')
    expect(await create(page, { tool, options: small, inputs: [{ key: '/etc/passwd', name: 'a.jpg' }] })).toBe('404 upload.missing')
    const broken = await page.ask('/api/jobs', { method: 'POST', body: '{' })
    expect(broken.status).toBe(400)
    expect([await page.get('/api/jobs'), local.purse.reserved.size]).toEqual([[], 0])
  })

  test('of bad files fail these, in the words of the server, and the others are done', async () => {
    await using local = await testJobs()
    const { page } = local
    // More pixels are allowed here than on the server.
    const isBad = (input: BadInput): boolean => ['done', 'image.too-many-pixels'].every((code) => !expectedHere(input).includes(code))
    const bad = (await badInputs()).filter(isBad).filter((_input, n) => n % 3 === 0)
    const paths = await Promise.all(bad.map(({ name, bytes }, n) => local.source(`${n} ${name.replaceAll('/', '_')}`, bytes)))
    const files = await page.grant([...paths, await local.source('good.jpg', picture)])
    const ids = await page.start('compress-image', small, files)
    const wrong: string[] = []
    for (const [n, input] of bad.entries()) {
      const { state, error } = await page.ended(ids[n] ?? '')
      const code: string = error?.code ?? state
      if (!expectedHere(input).includes(code)) wrong.push(`${input.title}: ${code}, expected ${expectedHere(input).join(' or ')}`)
    }
    expect(wrong).toEqual([])
    expect((await page.ended(ids.at(-1) ?? '')).state).toBe('done')
    expect(await readdir(local.results)).toEqual(['good.jpg'])
    const verdicts = await local.purse.verdicts(...local.purse.reserved.keys())
    expect(verdicts.filter((one) => one === 'committed')).toHaveLength(1)
  })

  test('sent again under one key are one, at the same time and after a restart, and another body is refused', async () => {
    await using local = await testJobs()
    const { page } = local
    const files = await page.grant([await local.source('a.jpg', picture), await local.source('b.jpg', picture)])
    const headers = { 'idempotency-key': 'a-call-of-mine' }
    const [first, second] = await Promise.all([1, 2].map(() => page.start('compress-image', small, files, headers)))
    expect(second).toEqual(first)
    for (const id of first ?? []) await page.ended(id)
    expect(await page.start('compress-image', small, files, headers)).toEqual(first)
    const [file] = files
    if (!file) throw new Error('not granted')
    expect(await create(page, { tool: 'compress-image', options: toSize(9), inputs: files.map(inputOf) }, headers)).toBe(
      '400 request.invalid',
    )
    expect(await create(page, { tool: 'compress-image', options: small, inputs: [inputOf(file)] }, headers)).toBe('400 request.invalid')
    expect(await readdir(local.results)).toHaveLength(2)
    expect(local.purse.reserved.size).toBe(2)
  })

  test('of too large a file are refused before it is read', async () => {
    await using local = await testJobs()
    const path = await local.source('a.jpg', picture)
    await truncate(path, 2 * 1024 ** 3 + 1)
    const [file] = await local.page.grant([path])
    if (!file) throw new Error('not granted')
    expect(await create(local.page, { tool: 'compress-image', options: small, inputs: [inputOf(file)] })).toBe('413 file.too-large')
  })

  test('of files that are gone, or behind a link by now, are refused', async () => {
    await using local = await testJobs()
    const { page } = local
    const [gone, linked] = [await local.source('gone.jpg', picture), await local.source('linked.jpg', picture)]
    const outside = await local.source('outside.jpg', picture)
    const files = await page.grant([gone, linked, outside])
    await rm(gone)
    await rm(linked)
    await symlink(outside, linked)
    const ids = await page.start('compress-image', small, files)
    const ended = await Promise.all(ids.map((id) => page.ended(id)))
    expect(ended.map(({ state, error }) => error?.code ?? state)).toEqual(['file.missing', 'place.refused', 'done'])
  })
})

describe('results', () => {
  test('are served whole or in part, as a picture or to be saved, and never as a page', async () => {
    await using local = await testJobs()
    const { page } = local
    const [id = ''] = await page.start('compress-image', small, await page.grant([await local.source('a.jpg', picture)]))
    const { outputs } = await page.ended(id)
    expect(outputs[0]?.url).toBe(`/local/results/${id}/0`)
    const whole = await page.ask(outputs[0]?.url ?? '')
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect(bytes.equals(await readFile(join(local.results, 'a.jpg')))).toBe(true)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="a.jpg"; filename*=UTF-8\'\'a.jpg',
      'content-length': String(bytes.length),
    })
    const part = await page.ask(outputs[0]?.url ?? '', { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)
    expect((await page.ask(outputs[0]?.url ?? '', { headers: { range: 'bytes=999999-' } })).status).toBe(416)
    for (const path of [
      `/local/results/${id}/1`,
      `/local/results/${id}/-1`,
      `/local/results/${id}/x`,
      '/local/results/none/0',
      `/local/parts/${id}/..`,
    ]) {
      expect([path, (await page.ask(path)).status]).toEqual([path, path.includes('..') ? 404 : 410])
    }
  })

  test('that were moved, deleted or replaced by a link are gone', async () => {
    await using local = await testJobs()
    const { page } = local
    const files = await page.grant([await local.source('a.jpg', picture), await local.source('b.jpg', picture)])
    const [a = '', b = ''] = await page.start('compress-image', small, files)
    await page.ended(a)
    await page.ended(b)
    await rename(join(local.results, 'a.jpg'), join(local.results, 'moved.jpg'))
    await rm(join(local.results, 'b.jpg'))
    await symlink(join(local.sources, 'b.jpg'), join(local.results, 'b.jpg'))
    for (const id of [a, b]) {
      await expect(local.jobs.result(id, 0)).rejects.toMatchObject({ code: 'result.gone' })
      expect((await page.ask(`/local/results/${id}/0`)).status).toBe(410)
      expect((await page.view(id)).state).toBe('done')
    }
  })

  test('come as a zip for one ticket, in the folders they were picked from', async () => {
    await using local = await testJobs()
    const { page } = local
    await mkdir(join(local.sources, '旅行'))
    await writeFile(join(local.sources, '旅行', 'a.jpg'), picture)
    const [ours] = await page.grant([join(local.sources, '旅行', 'a.jpg')], '旅行')
    const [other] = await page.grant([await local.source('a.jpg', picture)])
    if (!ours || !other) throw new Error('not granted')
    const ids = await page.start('compress-image', small, [ours, other])
    for (const id of ids) await page.ended(id)
    expect(await readdir(join(local.results, '旅行'))).toEqual(['a.jpg'])
    const { ticket } = await page.post<{ ticket: string }>('/api/jobs/zip', { ids })
    const inside = await unzip(Buffer.from(await (await page.ask(`/api/jobs/zip/${ticket}`)).arrayBuffer()))
    expect([...inside.keys()].toSorted()).toEqual(['a.jpg', '旅行/a.jpg'])
    expect((await page.ask(`/api/jobs/zip/${ticket}`)).status).toBe(410)
    expect(await refusal(page.post('/api/jobs/zip', { ids: ['none'] }))).toBe('404 job.not-found')
  })

  test('of files of this computer, those granted alone are served', async () => {
    await using local = await testJobs()
    const { page } = local
    const [file] = await page.grant([await local.source('说明.html', '<script>alert(1)</script>')])
    const answer = await page.ask(`/local/files/${file?.key ?? ''}`)
    expect(await answer.text()).toBe('<script>alert(1)</script>')
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    for (const key of ['none', encodeURIComponent('../../etc/passwd'), encodeURIComponent(join(local.sources, '说明.html'))]) {
      expect((await page.ask(`/local/files/${key}`)).status).toBe(404)
    }
  })
})
