import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createIPX, createIPXNodeServer, ipxFSStorage } from 'ipx'
import sharp from 'sharp'
import { localLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { parseOptions } from '#shared/tools/index'

/** A phone's photo of 12 MP, which the project does not hold itself. */
const PHOTO = fileURLToPath(new URL('../../../shared/corpus/images/photo_big/Samsung_SM-G935L_Galaxy_S7_Edge.jpg', import.meta.url))
const QUALITY = 80
const BOX = { width: 1920, height: 1080 }
/** Short rounds: what else the machine does changes slowly, and a ratio is taken within a round. */
const REQUESTS = 8
const ROUNDS = 15
const CLIENTS = 4
/** Children of the pool: the cores of the smallest machine this is to run on. */
const CHILDREN = 2

/** @typedef {() => Promise<number>} Attempt one picture; answers with the bytes of its result */

/** Processor time of this process and of some children so far, in milliseconds; NaN where the system does not tell. */
function busyMs(/** @type {readonly number[]} */ pids) {
  if (process.platform !== 'linux') return NaN
  return [process.pid, ...pids].reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // User and system time, in ticks of 10 ms (proc_pid_stat(5), fields 14 and 15).
    return sum + 10 * (Number(fields[11]) + Number(fields[12]))
  }, 0)
}

/** Requests a second of an attempt, so many at a time, and the processor's time a request. */
async function rate(/** @type {Attempt} */ attempt, /** @type {number} */ atOnce, /** @type {readonly number[]} */ pids) {
  let left = REQUESTS
  let bytes = 0
  const busyBefore = busyMs(pids)
  const startedAt = performance.now()
  const client = async () => {
    while (left-- > 0) bytes = await attempt()
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  const perSecond = (REQUESTS * 1000) / (performance.now() - startedAt)
  return { perSecond, bytes, busy: (busyMs(pids) - busyBefore) / REQUESTS }
}

const median = (/** @type {number[]} */ values) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? NaN

/** Bare sharp in this process, as good as it gets: one thread a picture, a picture a core at a time. @type {Attempt} */
const bareSharp = async () => {
  const { data } = await sharp(PHOTO)
    .autoOrient()
    .resize({ ...BOX, fit: 'inside' })
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:2:0' })
    .toBuffer({ resolveWithObject: true })
  return data.length
}

/** Our pool, everything included: checks, a folder a job, the result on disk. @returns {Attempt} */
const ours = (/** @type {EnginePool} */ pool, /** @type {string} */ folder) => {
  const options = parseOptions('resize-image', { ...BOX, quality: QUALITY })
  let job = 0
  return async () => {
    const jobFolder = join(folder, String(job++))
    mkdirSync(jobFolder)
    const inputs = /** @type {const} */ ([{ path: PHOTO, name: basename(PHOTO) }])
    const [output] = await pool.run({ tool: 'resize-image', options, inputs }, jobFolder)
    return output?.bytes ?? 0
  }
}

/** ipx behind its own HTTP server. */
async function openIpx() {
  const ipx = createIPX({ storage: ipxFSStorage({ dir: dirname(PHOTO) }) })
  const server = createServer(createIPXNodeServer(ipx))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = `http://127.0.0.1:${port}/s_${BOX.width}x${BOX.height},fit_inside,quality_${QUALITY},f_jpeg/${basename(PHOTO)}`
  /** @type {Attempt} */
  const attempt = async () => {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`ipx answered ${answer.status}`)
    return (await answer.arrayBuffer()).byteLength
  }
  return { attempt, close: () => server.close() }
}

/** Measures 12 MP to 1080p by our pool, bare sharp and ipx in turns, and prints rates and ratios of the same round. */
export async function bench() {
  if (!existsSync(PHOTO)) {
    console.log(`Skipped: the test picture is not at ${PHOTO}.`)
    return
  }
  sharp.concurrency(1)
  sharp.cache(false)
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-bench-'))
  const pool = new EnginePool({ size: CHILDREN, limits: localLimits })
  const ipx = await openIpx()
  const attempts = /** @type {const} */ ([
    ['qingtu', ours(pool, folder), CLIENTS],
    ['sharp', bareSharp, CHILDREN],
    ['ipx', ipx.attempt, CLIENTS],
  ])
  /** @type {Record<string, number[]>} */
  const rates = { qingtu: [], sharp: [], ipx: [] }
  /** @type {Record<string, number[]>} */
  const busyTimes = { qingtu: [], sharp: [], ipx: [] }
  try {
    // The first pictures pay for starting processes.
    for (const [, attempt, atOnce] of attempts) await Promise.all(Array.from({ length: atOnce }, attempt))
    console.log(`12 MP JPEG to 1080p JPEG, quality ${QUALITY}: ${ROUNDS} rounds of ${REQUESTS}, pictures a second`)
    for (let round = 0; round < ROUNDS; round++) {
      const told = []
      for (const [name, attempt, atOnce] of attempts) {
        const { perSecond, bytes, busy } = await rate(attempt, atOnce, pool.pids)
        rates[name]?.push(perSecond)
        busyTimes[name]?.push(busy)
        told.push(`${name} ${perSecond.toFixed(1)} (${(bytes / 1024).toFixed(0)} KB, ${busy.toFixed(0)} ms busy)`)
      }
      console.log(`  ${told.join('  ')}`)
    }
    for (const peer of ['sharp', 'ipx']) {
      const ratios = (rates['qingtu'] ?? []).map((own, round) => own / (rates[peer]?.[round] ?? NaN))
      // What else the machine does moves the rates; the processor's time hardly.
      const thrift = (busyTimes['qingtu'] ?? []).map((own, round) => (busyTimes[peer]?.[round] ?? NaN) / own)
      console.log(`  qingtu ÷ ${peer}: rate, median ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`)
      console.log(`    ${peer}'s processor time ÷ ours, median ${median(thrift).toFixed(2)}`)
    }
  } finally {
    ipx.close()
    pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
