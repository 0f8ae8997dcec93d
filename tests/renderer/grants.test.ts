import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** What the main process was asked for, call by call. */
const calls: string[][] = []

beforeEach(() => {
  calls.length = 0
  const grant = (files: readonly { file: File; path?: string }[]) => {
    calls.push(files.map(({ file, path }) => (path === undefined ? file.name : `${path}/${file.name}`)))
    const data = files.map(({ file }) =>
      file.name.startsWith('网络')
        ? { error: { code: 'place.refused', data: {} } }
        : { key: `key of ${file.name}`, name: file.name, bytes: 1 },
    )
    return Promise.resolve({ data })
  }
  const ask = (name: string, { bytes }: { bytes: Uint8Array }) => {
    calls.push([name])
    return Promise.resolve({ data: { key: `kept ${bytes.length}`, name: 'x', bytes: bytes.length } })
  }
  vi.resetModules()
  vi.stubGlobal('qingtu', { version: '1.2.3', grant, ask, hear: () => () => {} })
})

afterEach(() => vi.unstubAllGlobals())

const file = (name: string): File => new File(['x'], name)

test('files that come together are granted in one call, those refused each for themselves', async () => {
  const { grantFile } = await import('#renderer/platform/grants')
  const granted = await Promise.allSettled([
    grantFile(file('甲.jpg'), '旅行'),
    grantFile(file('网络.jpg'), undefined),
    grantFile(file('乙.jpg'), undefined),
  ])
  expect(calls).toEqual([['旅行/甲.jpg', '网络.jpg', '乙.jpg']])
  expect(granted).toMatchObject([
    { value: { key: 'key of 甲.jpg' } },
    { reason: { code: 'place.refused' } },
    { value: { key: 'key of 乙.jpg' } },
  ])
})

test('more files than one call takes go in several', async () => {
  const { grantFile } = await import('#renderer/platform/grants')
  const granted = await Promise.all(Array.from({ length: 2001 }, (_, n) => grantFile(file(`${n}.jpg`), undefined)))
  expect(calls.map(({ length }) => length)).toEqual([1000, 1000, 1])
  expect(granted[2000]?.key).toBe('key of 2000.jpg')
})

test('a file that is asked for twice at a time is granted once, and later anew', async () => {
  const { grantFile } = await import('#renderer/platform/grants')
  const one = file('甲.jpg')
  await Promise.all([grantFile(one, undefined), grantFile(one, undefined)])
  await grantFile(one, undefined)
  expect(calls).toEqual([['甲.jpg'], ['甲.jpg']])
})

test('a pasted picture, which lies nowhere, is kept', async () => {
  const { grantFile } = await import('#renderer/platform/grants')
  const { pastedFiles } = await import('#renderer/platform/picked-files')
  const event = { clipboardData: { files: [new File(['123'], 'image.png'), file('复制的.jpg')] } } as unknown as ClipboardEvent // all of it that is read
  const keys = await Promise.all(pastedFiles(event).map(async (one) => (await grantFile(one.file, one.path)).key))
  expect(keys).toEqual(['kept 3', 'key of 复制的.jpg'])
})

test('what the main process refuses is an AppError of the page', async () => {
  vi.stubGlobal('qingtu', { ask: () => Promise.resolve({ error: { code: 'result.gone', data: {} } }) })
  const { ask } = await import('#renderer/platform/ask')
  await expect(ask('results:open', { jobId: 'a', output: 0 })).rejects.toMatchObject({ name: 'AppError', code: 'result.gone' })
})
