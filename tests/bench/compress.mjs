import { existsSync, rmSync } from 'node:fs'
import { benchJpeg, countEncodes, reportJpeg } from './compress-jpeg.mjs'
import { benchOthers, benchPng } from './compress-others.mjs'
import { corpus, filesOf, folder, freshJobFolder, jobFolder, jobOf, quantile } from './measure.mjs'
import { localLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'

/** Measures compression to a size beside the peers that are present, and prints the tables. */
export async function bench(/** @type {readonly string[]} */ present) {
  if (!existsSync(corpus)) {
    console.log(`Skipped: the test pictures are not at ${corpus}.`)
    return
  }
  const pool = new EnginePool({ size: 1, limits: localLimits })
  try {
    freshJobFolder()
    // The first job pays for starting the process; a server's children are warm.
    await pool.run(jobOf(filesOf('portrait')[0] ?? '', 20), jobFolder)
    const jpeg = await benchJpeg(pool, present)
    reportJpeg(jpeg)
    await countEncodes()
    const ours = jpeg.filter(({ tool }) => tool === 'qingtu').map(({ fill }) => fill)
    const fills = [...ours, ...(await benchPng(pool, present)), ...(await benchOthers(pool))]
    console.log(`\nEvery format: n ${fills.length}, fill median ${quantile(fills, 0.5).toFixed(3)} p10 ${quantile(fills, 0.1).toFixed(3)}`)
  } finally {
    pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
