import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor } from '../fixtures/server.ts'

describe('a job', () => {
  it('compresses an upload to the size asked for and hands it back to its owner', async () => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const source = await photo(1200, 900).jpeg({ quality: 95 }).toBuffer()
    const [id = ''] = await visitor.start([{ name: '照片.jpg', bytes: source }], toSize(60))
    const job = await visitor.ended(id)
    expect(job).toMatchObject({ state: 'done', progress: 1, inputs: [{ name: '照片.jpg', bytes: source.length }] })
    const [output] = job.outputs
    const result = await visitor.download(output?.url ?? '')
    expect(result.length).toBe(output?.bytes)
    expect(result.length).toBeLessThanOrEqual(60 * 1024)
    expect(await sharp(result).metadata()).toMatchObject({ format: 'jpeg', width: output?.width, height: output?.height })
  })
})
