import { existsSync, rmSync } from 'node:fs'
import { benchJpeg, countEncodes, reportJpeg } from './compress-jpeg.mjs'
import { benchOthers, benchPng } from './compress-others.mjs'
import { corpus, filesOf, folder, freshJobFolder, jobFolder, jobOf } from './measure.mjs'
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
    reportJpeg(await benchJpeg(pool, present))
    await countEncodes()
    await benchPng(pool, present)
    await benchOthers(pool)
  } finally {
    pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
