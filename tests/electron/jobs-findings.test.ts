import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testJobs } from '../fixtures/local-jobs.ts'
import { photo } from '../fixtures/pictures.ts'
import type { Order } from '#engine/processor'
import { launchNode, type Child } from '#engine/launch'

const grey = await photo(320, 240).greyscale().jpeg({ quality: 90 }).toBuffer()

/** Children whose orders are noted. */
function noted() {
  const orders: Order[] = []
  const launch = (): Child => {
    const child = launchNode()
    return { ...child, send: (order) => void (orders.push(order), child.send(order)) }
  }
  return { orders, launch }
}

describe('what a job found in a photo', () => {
  test('is there for its editor, and serves later jobs of the same bytes for nothing', async () => {
    const { orders, launch } = noted()
    await using local = await testJobs({ launch })
    const { page, purse } = local
    const path = await local.source('旧照片.jpg', grey)
    const files = await page.grant([path])
    const [first = ''] = await page.start('colourize', {}, files)
    const done = await page.ended(first)
    expect(done.error).toBeUndefined()
    expect(done.parts?.source).toBe(`/local/parts/${first}/source`)
    const chroma = await page.ask(done.parts?.chroma ?? '')
    expect(chroma.headers.get('content-type')).toBe('image/png')
    expect((await sharp(Buffer.from(await chroma.arrayBuffer())).metadata()).format).toBe('png')
    // Another grant of the same file is the same file.
    const [second = ''] = await page.start('colourize', { fileName: '{name}-又' }, await page.grant([path]))
    expect((await page.ended(second)).state).toBe('done')
    expect(orders.map(({ job }) => job.chroma !== undefined)).toEqual([false, true])
    expect([await purse.verdicts(first), purse.reserved.has(second)]).toEqual([['committed'], false])
    // Changed bytes are another photo.
    await writeFile(path, grey)
    const { mtime } = await stat(path)
    await utimes(path, mtime, new Date(mtime.getTime() + 5000))
    const [third = ''] = await page.start('colourize', {}, files)
    expect((await page.ended(third)).state).toBe('done')
    expect([orders.at(-1)?.job.chroma, purse.reserved.has(third)]).toEqual([undefined, true])
    await page.ask(`/api/jobs/${first}`, { method: 'DELETE' })
    expect((await page.ask(done.parts?.source ?? '')).status).toBe(410)
    expect((await readdir(join(local.own, 'parts'))).toSorted()).toEqual([second, third].toSorted())
    await local.jobs.close()
    await expect(readdir(join(local.own, 'parts'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('by another photo needs that one, and tells it from the sources where it is lost', async () => {
    await using local = await testJobs()
    const { page } = local
    const files = await page.grant([await local.source('a.jpg', grey)])
    const [reference] = await page.grant([await local.source('参考.jpg', await photo(200, 150).jpeg().toBuffer())])
    const options = { colours: { by: 'reference' } }
    await expect(page.start('colourize', options, files)).rejects.toThrow('400 options.background-missing')
    const inputs = files.map(({ key, name }) => ({ key, name }))
    const ask = (key: string) =>
      page.post<{ jobs: { id: string }[] }>('/api/jobs', { tool: 'colourize', options, inputs, attachment: { key, name: '参考.jpg' } })
    await expect(ask('unknown')).rejects.toThrow('404 options.background-lost')
    const { jobs } = await ask(reference?.key ?? '')
    expect((await page.ended(jobs[0]?.id ?? '')).state).toBe('done')
  })
})
