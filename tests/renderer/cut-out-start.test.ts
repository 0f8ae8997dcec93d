import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobView } from '#shared/api/jobs'

const PAGE = '/matting/person'
/** Names of the files that were uploaded, in their order. */
let uploaded: string[]
let calls: { attachment?: { key: string; name: string }; inputs: { key: string; name: string }[] }[]
/** What the server says to the next calls that create jobs; none is a yes. */
let refusals: { status: number; code: string }[]
let identity: string
let stored: Map<string, string>

vi.mock('#renderer/platform/storage', () => ({
  Upload: class {
    readonly #name: string
    constructor({ name }: File) {
      this.#name = name
    }
    async run(): Promise<string> {
      uploaded.push(this.#name)
      return `u/${identity}/${uploaded.length}`
    }
    stop(): void {}
  },
}))

const answer = (status: number, body: unknown): Response => Response.json(body, { status })

function createJobs(body: (typeof calls)[number]): Response {
  calls.push(body)
  const refusal = refusals.shift()
  if (refusal) return answer(refusal.status, { code: refusal.code, data: {} })
  return answer(200, { data: { jobs: body.inputs.map(({ name }, n) => ({ id: `job ${calls.length}.${n}`, name })) } })
}

beforeEach(() => {
  vi.resetModules()
  ;[uploaded, calls, refusals, identity, stored] = [[], [], [], 'guest', new Map([['consent', '1']])]
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  })
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} })
  vi.stubGlobal('document', { cookie: '', readyState: 'complete' })
  vi.stubGlobal('navigator', { onLine: true, userAgent: 'Windows Chrome' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage(): void {}
    },
  )
  vi.stubGlobal('fetch', async (path: string, { body }: { body?: string } = {}) => {
    if (path === '/api/jobs') return createJobs(JSON.parse(body ?? ''))
    if (path === '/api/user/tourist') return answer(200, { data: { userid: identity, username: '游客' } })
    return answer(404, { code: 'address.unknown', data: {} })
  })
})

afterEach(() => vi.unstubAllGlobals())

/** The person page with some files, on a picture as their background. */
async function openPage(...names: string[]) {
  const [attachment, batch, consent, rows, session, settings, totals, { store }] = await Promise.all([
    import('#renderer/state/attachment'),
    import('#renderer/state/batch'),
    import('#renderer/state/consent'),
    import('#renderer/state/rows'),
    import('#renderer/state/session'),
    import('#renderer/state/settings'),
    import('#renderer/state/totals'),
    import('#renderer/state/store'),
  ])
  const set = (background: unknown): void => settings.changeSettings(PAGE, { ...store.get(settings.settingsAtom(PAGE)), background })
  set({ by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 })
  const add = (...added: string[]): void =>
    void batch.addFiles(
      PAGE,
      added.map((name) => ({ file: new File(['.'], name), path: undefined })),
    )
  add(...names)
  const isQueued = (): boolean => rows.rowsOf(PAGE).every(({ status }) => status.at === 'queued')
  return {
    session,
    set,
    add,
    rows: () => rows.rowsOf(PAGE),
    totals: () => store.get(totals.totalsAtom(PAGE)),
    background: () => store.get(attachment.attachmentAtom(PAGE)),
    asked: () => store.get(consent.consentAtom),
    choose: (name: string, bytes = 1) => attachment.chooseAttachment(PAGE, new File(['.'.repeat(bytes)], name)),
    start: () => batch.startRows(PAGE),
    queued: () => vi.waitFor(() => expect(isQueued()).toBe(true)),
    end: (note?: JobView['note']) => {
      const output = { name: '果.png', bytes: 1, format: 'png', url: '/果.png' }
      for (const { id } of rows.rowsOf(PAGE)) rows.changeRow(id, { status: { at: 'done', outputs: [output], note, parts: undefined } })
    },
  }
}

it('a background is uploaded once for all files, and for those that come later', async () => {
  const page = await openPage('甲.jpg', '乙.jpg')
  page.choose('海.jpg')
  page.start()
  await page.queued()
  expect(uploaded.toSorted()).toEqual(['甲.jpg', '乙.jpg', '海.jpg'].toSorted())
  page.add('丙.jpg')
  page.start()
  await page.queued()
  expect(uploaded).toHaveLength(4)
  // However many calls the files went in.
  for (const { attachment } of calls) expect(attachment).toEqual(calls[0]?.attachment)
  expect(calls[0]?.attachment?.name).toBe('海.jpg')
})

it('a background the server no longer has is uploaded anew, once', async () => {
  const page = await openPage('甲.jpg')
  page.choose('海.jpg')
  refusals = [{ status: 404, code: 'options.background-lost' }]
  page.start()
  await page.queued()
  expect(uploaded.toSorted()).toEqual(['海.jpg', '海.jpg', '甲.jpg'])
  expect(calls[1]?.attachment?.key).not.toBe(calls[0]?.attachment?.key)
  page.add('乙.jpg')
  refusals = [
    { status: 404, code: 'options.background-lost' },
    { status: 404, code: 'options.background-lost' },
  ]
  page.start()
  await vi.waitFor(() => expect(page.rows()[1]?.status).toMatchObject({ at: 'failed', error: { code: 'options.background-lost' } }))
  expect(calls).toHaveLength(4)
})

it('a background is uploaded anew for another identity', async () => {
  const page = await openPage('甲.jpg')
  page.choose('海.jpg')
  page.start()
  await page.queued()
  identity = 'member'
  page.session.changeSession({ loginID: 'member' })
  page.add('乙.jpg')
  page.start()
  await page.queued()
  expect(uploaded.filter((name) => name === '海.jpg')).toHaveLength(2)
  expect(calls[1]?.attachment?.key).toMatch(/^u\/member\//)
})

it('without a background nothing is uploaded, and its field says what is missing until it is there', async () => {
  const page = await openPage('甲.jpg')
  expect(page.start).toThrow(expect.objectContaining({ code: 'options.background-missing' }))
  expect(page.background().error?.code).toBe('options.background-missing')
  expect(page.rows()[0]?.status.at).toBe('ready')
  page.choose('海.jpg')
  expect(page.background().error).toBeUndefined()
  expect(uploaded).toEqual([])
})

it('a file that is no picture or too large is refused at once, and the one chosen before stays', async () => {
  const page = await openPage()
  page.choose('海.jpg')
  for (const [name, bytes, code] of [
    ['海.docx', 1, 'file.unsupported'],
    ['空.png', 0, 'file.empty'],
    ['大.png', 50 * 1024 ** 2 + 1, 'file.too-large'],
  ] as const) {
    page.choose(name, bytes)
    expect(page.background()).toMatchObject({ file: { name: '海.jpg' }, error: { code } })
  }
})

it('nothing is uploaded before that is agreed to, nor where it is declined', async () => {
  stored.delete('consent')
  const page = await openPage('甲.jpg')
  page.set({ by: 'transparent' })
  page.start()
  page.asked()?.settle(false)
  expect(page.rows()[0]?.status.at).toBe('ready')
  expect(page.asked()).toBeUndefined()
  page.start()
  page.asked()?.settle(true)
  await page.queued()
  expect(uploaded).toEqual(['甲.jpg'])
  page.add('乙.jpg')
  page.start()
  expect(page.asked()).toBeUndefined()
  await page.queued()
})

it('done files are started again when the settings they were made with are others now', async () => {
  const page = await openPage('甲.jpg', '乙.jpg')
  page.set({ by: 'transparent' })
  page.start()
  await page.queued()
  page.end()
  expect(page.totals().stale).toBe(0)
  page.start()
  expect(calls).toHaveLength(1)
  page.set({ by: 'colour', colour: '#438edb' })
  expect(page.totals().stale).toBe(2)
  page.set({ by: 'transparent' })
  expect(page.totals().stale).toBe(0)
  page.set({ by: 'colour', colour: '#438edb' })
  page.start()
  await page.queued()
  // The same uploads: nothing but the settings is new.
  expect(uploaded).toHaveLength(2)
  expect(calls[1]?.inputs.map(({ key }) => key)).toEqual(calls[0]?.inputs.map(({ key }) => key))
})

it('done files are started again on another background picture', async () => {
  const page = await openPage('甲.jpg')
  page.choose('海.jpg')
  page.start()
  await page.queued()
  page.end()
  expect(page.totals().stale).toBe(0)
  page.choose('山.jpg')
  expect(page.totals().stale).toBe(1)
  page.start()
  await page.queued()
  expect(calls[1]?.attachment?.name).toBe('山.jpg')
})
