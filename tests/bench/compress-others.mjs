import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { filesOf, folder, freshJobFolder, jobFolder, jobOf, look, mean, quantile, similarity, TARGETS_KB, tell } from './measure.mjs'

/** @typedef {import('#engine/pool').EnginePool} EnginePool */
const PNGS = ['kodak', 'screenshot', 'png_alpha']

/** Every PNG to every size, and beside pngquant. Returns the fills of those no lossless PNG fits. */
export async function benchPng(/** @type {EnginePool} */ pool, /** @type {readonly string[]} */ present) {
  /** @type {string[]} */
  const files = []
  for (const file of PNGS.flatMap(filesOf)) {
    const isReadable = await sharp(file)
      .png()
      .toBuffer()
      .then(
        () => true,
        () => false,
      )
    if (isReadable) files.push(file)
    else tell(basename(file).slice(0, 22), 'skipped: a broken PNG')
  }
  /** @type {{ fill: number, isLossless: boolean, ms: number }[]} */
  const fits = []
  for (const file of files) {
    const lossless = (await sharp(file).png({ compressionLevel: 9, effort: 10 }).toBuffer()).length
    for (const targetKb of TARGETS_KB.filter((kb) => kb * 1024 < statSync(file).size)) {
      freshJobFolder()
      const startedAt = performance.now()
      const [output] = await pool.run(jobOf(file, targetKb), jobFolder)
      if (output)
        fits.push({ fill: output.bytes / targetKb / 1024, isLossless: lossless <= targetKb * 1024, ms: performance.now() - startedAt })
    }
  }
  const lossy = fits.filter(({ isLossless }) => !isLossless).map(({ fill }) => fill)
  console.log(`\nPNG to a size: ${files.length} pictures, ${fits.length} pairs, ${lossy.length} of them too small for a lossless PNG`)
  tell(
    'qingtu',
    `above target ${fits.filter(({ fill }) => fill > 1).length}, fill median ${quantile(lossy, 0.5).toFixed(3)} p10 ${quantile(lossy, 0.1).toFixed(3)}, ms median ${quantile(
      fits.map(({ ms }) => ms),
      0.5,
    ).toFixed(0)} max ${quantile(
      fits.map(({ ms }) => ms),
      1,
    ).toFixed(0)}`,
  )
  if (present.includes('pngquant')) await benchPngquant(pool, files)
  return lossy
}

/** Ours in nine tenths of pngquant's bytes: is it at least as similar to the source? */
async function benchPngquant(/** @type {EnginePool} */ pool, /** @type {readonly string[]} */ files) {
  /** @type {number[]} */
  const gains = []
  let skipped = 0
  for (const file of files) {
    const out = join(folder, 'peer.png')
    execFileSync('pngquant', ['--force', '--output', out, '256', file], { stdio: 'ignore' })
    const bytes = statSync(out).size
    if (bytes >= statSync(file).size) {
      skipped += 1
      continue
    }
    freshJobFolder()
    const [output] = await pool.run(jobOf(file, Math.floor((bytes * 0.9 * 10) / 1024) / 10), jobFolder)
    const { width, height } = await sharp(file).metadata()
    const scores = await Promise.all(
      [out, output?.path ?? ''].map(async (path) =>
        mean(
          await Promise.all(
            ['#fff', '#000'].map(async (ground) =>
              similarity(await look(file, width, height, ground), await look(path, width, height, ground)),
            ),
          ),
        ),
      ),
    )
    gains.push((scores[1] ?? 0) - (scores[0] ?? 0))
    tell(
      basename(file).slice(0, 22),
      `pngquant ${(bytes / 1024).toFixed(0)} KB ${scores[0]?.toFixed(4)}; qingtu ${((output?.bytes ?? 0) / 1024).toFixed(0)} KB ${scores[1]?.toFixed(4)}${output?.note?.kind === 'shrunk' ? ' shrunk' : ''}`,
    )
  }
  tell(
    'qingtu in 0.9 × bytes',
    `n ${gains.length} (${skipped} that pngquant makes larger left out), SSIM gain mean ${mean(gains).toFixed(4)}, worse on ${gains.filter((gain) => gain < 0).length}, worst ${quantile(gains, 0).toFixed(4)}`,
  )
}

/** WebP and AVIF to every size; returns the fills. */
export async function benchOthers(/** @type {EnginePool} */ pool) {
  /** @type {number[]} */
  const all = []
  for (const format of /** @type {const} */ (['webp', 'avif'])) {
    /** @type {number[]} */
    const fills = []
    for (const file of [...filesOf('kodak').slice(0, 6), ...filesOf('portrait')]) {
      const source = join(folder, `${basename(file)}.${format}`)
      await sharp(file).autoOrient().toFormat(format, { quality: 92, effort: 2 }).toFile(source)
      for (const targetKb of TARGETS_KB.filter((kb) => kb * 1024 < statSync(source).size)) {
        freshJobFolder()
        const [output] = await pool.run(jobOf(source, targetKb), jobFolder)
        if (output) fills.push(output.bytes / targetKb / 1024)
      }
    }
    console.log(`\n${format} to a size`)
    tell(
      'qingtu',
      `n ${fills.length}, above target ${fills.filter((fill) => fill > 1).length}, fill median ${quantile(fills, 0.5).toFixed(3)} p10 ${quantile(fills, 0.1).toFixed(3)}`,
    )
    all.push(...fills)
  }
  return all
}
