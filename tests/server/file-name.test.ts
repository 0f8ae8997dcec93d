import { expect, test } from 'vitest'
import { photo } from '../fixtures/pictures.ts'
import { Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

const picture = (): Promise<Buffer> => photo(60, 40).jpeg({ quality: 90 }).toBuffer()

test('results named by number take the place their page gives them, else their place in the call', async () => {
  const visitor = await Visitor.enter(server().url)
  const input = async (name: string, more: object = {}) => ({ key: await visitor.upload(await picture()), name, ...more })
  const inputs = [await input('甲.jpg', { place: 12 }), await input('乙.jpg')]
  const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', {
    tool: 'set-dpi',
    options: { fileName: '{nnn}-{name}' },
    inputs,
  })
  const ended = await Promise.all(jobs.map(({ id }) => visitor.ended(id)))
  expect(ended.map(({ outputs }) => outputs[0]?.name)).toEqual(['012-甲.jpg', '002-乙.jpg'])
  const address = ended[0]?.outputs[0]?.url ?? ''
  expect((await visitor.fetch(address)).headers.get('content-disposition')).toContain(encodeURIComponent('012-甲.jpg'))
})

test('a rule nobody can keep to is refused with its own words, before anything is done', async () => {
  const visitor = await Visitor.enter(server().url)
  const inputs = [{ key: await visitor.upload(await picture()), name: '甲.jpg' }]
  for (const fileName of ['../{name}', '{author}', 'a\u0000', '\ud83d']) {
    await expect(visitor.post('/api/jobs', { tool: 'set-dpi', options: { fileName }, inputs })).rejects.toThrow('options.file-name')
  }
  expect(await visitor.read('/api/jobs')).toEqual([])
})
