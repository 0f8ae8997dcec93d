import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { testJobs } from '../fixtures/local-jobs.ts'
import { photo } from '../fixtures/pictures.ts'

describe('jobs on this computer', () => {
  test('60 files to 200 KB: results on disk are right, sources stay as they were', async () => {
    await using local = await testJobs()
    const kinds = await Promise.all([1, 2, 3, 4].map((seed) => photo(1600, 1200, 3, seed).jpeg({ quality: 97 }).toBuffer()))
    const paths = await Promise.all(Array.from({ length: 60 }, (_, n) => local.source(`照片 ${n}.jpg`, kinds[n % 4] ?? Buffer.alloc(0))))
    const { page } = local
    const ids = await page.start('compress-image', toSize(200), await page.grant(paths))
    expect(ids).toHaveLength(60)
    for (const [n, id] of ids.entries()) {
      const { state, outputs, progress } = await page.ended(id)
      expect([state, progress, outputs.length]).toEqual(['done', 1, 1])
      const path = await local.jobs.result(id, 0)
      expect(path).toBe(join(local.results, `照片 ${n}.jpg`))
      expect((await stat(path)).size).toBe(outputs[0]?.bytes)
      expect(outputs[0]?.bytes).toBeLessThanOrEqual(200 * 1024)
      expect((await sharp(path).metadata()).width).toBe(outputs[0]?.width)
      expect((await readFile(paths[n] ?? '')).equals(kinds[n % 4] ?? Buffer.alloc(0))).toBe(true)
    }
    expect(await readdir(local.results)).toHaveLength(60)
    expect(await readdir(join(local.own, 'work'))).toEqual([])
    expect(new Set(await local.purse.verdicts(...ids))).toEqual(new Set(['committed']))
    expect(local.complaints).toEqual([])
  })
})
