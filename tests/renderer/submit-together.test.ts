import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const PAGE = '/zip'
let asked: string[]
let answer: (response: Response) => void

beforeEach(() => {
  vi.resetModules()
  asked = []
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} })
  vi.stubGlobal('document', { cookie: '', readyState: 'complete' })
  vi.stubGlobal('navigator', { onLine: true, userAgent: 'Windows Chrome' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    asked.push(`${method} ${path}`)
    return path === '/api/jobs' ? await new Promise<Response>((resolve) => (answer = resolve)) : Response.json({ data: {} })
  })
})

afterEach(() => vi.unstubAllGlobals())

/** Two files on their way into one job, whose call waits for its answer. */
async function onTheirWay() {
  const rows = await import('#renderer/state/rows')
  const { submitTogether } = await import('#renderer/state/submit')
  const made = ['甲', '乙'].map((name) =>
    rows.newRow({ page: PAGE, name, path: undefined, bytes: 1, key: `u/${name}`, status: { at: 'submitting' } }),
  )
  rows.addRows(PAGE, made)
  submitTogether(made.map(({ id, name, key = '' }) => ({ id, page: PAGE, options: {}, input: { key, name } })))
  await vi.waitFor(() => expect(asked).toEqual(['POST /api/jobs']))
  const accept = async (): Promise<void> => {
    answer(Response.json({ data: { jobs: [{ id: 'job', name: '甲' }] } }))
    await vi.waitFor(() => expect(asked.some((one) => one.includes('/api/jobs/job'))).toBe(true))
  }
  return { rows, ids: made.map(({ id }) => id), accept }
}

it('one of them called off ends their job: the others are ready again, whatever is heard of it, and it goes with them', async () => {
  const { rows, ids, accept } = await onTheirWay()
  const [first = '', second = ''] = ids
  rows.changeRow(first, { status: { at: 'cancelled' } })
  await accept()
  expect(asked).toContain('POST /api/jobs/job/cancel')
  expect(rows.readRow(second)).toMatchObject({ status: { at: 'ready' }, key: 'u/乙', earlier: ['job'] })
  expect(rows.rowsOfJob('job').map(({ id }) => id)).toEqual([first])
  expect(rows.isKnownJob('job')).toBe(true)
})

it('one of them taken away has their job and its uploads removed', async () => {
  const { rows, ids, accept } = await onTheirWay()
  const [first = '', second = ''] = ids
  rows.dropRows(PAGE, [first])
  await accept()
  expect(asked).toContain('DELETE /api/jobs/job')
  expect(rows.readRow(second)).toMatchObject({ status: { at: 'ready' }, key: undefined, earlier: [] })
})
