import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { alphaErrors, colourError, shownColourError, softWidth } from './cutout-measures.mjs'
import { cuttings, sceneOf } from './cutout-scenes.mjs'
import { facesIn, steps } from './cutout-steps.mjs'
import { photographs } from './cutout-portraits.mjs'
import { corpus, mean, quantile, tell } from './measure.mjs'
import { modelFor } from '#engine/ai/installed'
import { predictMatte } from '#engine/ai/predict'
import { samplesOf } from '#engine/image/pixels'
import { estimateForeground } from '#engine/matte/foreground'
import { refineMatte } from '#engine/matte/refine'

/** @typedef {{ name: 'default' | 'hd', modelsFolder: string | undefined }} Tier */
/** @typedef {ReturnType<typeof alphaErrors>} Errors */

const subjects = /** @type {const} */ (['person', 'goods', 'general'])
const named = /** @type {const} */ ({ raw: 'raw model', matte: '+ passes', refined: '+ refinement' })
const columns = /** @type {const} */ (['sad', 'mse', 'gradient', 'band', 'iou'])
/** A subject whose soft pixels are so many for each one of its outline has more than edges. */
const MOST_EDGE_PX = 5
const shown = (/** @type {number} */ value) => value.toPrecision(3).padStart(9)

/** Pixels of a picture as a job has them. @returns {import('#engine/image/pixels').Pixels} */
const pixelsOf = (/** @type {import('./cutout-scenes.mjs').Scene} */ { picture, width, height }) => ({
  data: picture,
  width,
  height,
  channels: 3,
})

/** Means of each error over a list, and their ratio to the raw model's. */
function table(/** @type {Record<keyof typeof named, Errors[]>} */ errors) {
  tell('', columns.map((column) => column.padStart(9)).join(''))
  const means = (/** @type {Errors[]} */ list) => columns.map((column) => mean(list.map((one) => one[column])))
  const base = means(errors.raw)
  for (const step of /** @type {const} */ (['raw', 'matte', 'refined'])) {
    const values = means(errors[step])
    tell(
      named[step],
      `${values.map(shown).join('')}    ÷ raw ${values.map((value, at) => (value / (base[at] ?? NaN)).toFixed(2)).join(' ')}`,
    )
  }
  const [raw, passes, refined] = [errors.raw, errors.matte, errors.refined].map((list) => mean(list.map(({ band }) => band)))
  tell('edge band', `refined ${percent(raw, refined)} of raw, ${percent(passes, refined)} of the passes`)
}

const percent = (/** @type {number | undefined} */ from = NaN, /** @type {number | undefined} */ to = NaN) =>
  `${((to / from - 1) * 100).toFixed(0)} %`

/** Composites of known alpha through all steps. */
async function overComposites(/** @type {Tier} */ { modelsFolder }, /** @type {number} */ most) {
  const cut = cuttings()
  const all = cut.flatMap((cutting, at) => [2 * at, 2 * at + 1 + (at % 2) * 2].map((place) => ({ cutting, at: place })))
  // Where only some are wanted, some of every kind.
  const share = Math.min(1, most / all.length)
  const plan = all.filter((_, at) => Math.floor((at + 1) * share) > Math.floor(at * share))
  /** @type {Record<keyof typeof named, Errors[]>} */
  const errors = { raw: [], matte: [], refined: [] }
  /** @type {Record<string, number[]>} */
  const seconds = { raw: [], passes: [], refinement: [], foreground: [] }
  const colours = { source: /** @type {number[]} */ ([]), trueAlpha: /** @type {number[]} */ ([]), ownAlpha: /** @type {number[]} */ ([]) }
  const seen = { source: /** @type {number[]} */ ([]), trueAlpha: /** @type {number[]} */ ([]) }
  /** @type {string[]} */
  const names = []
  /** How wide the soft parts are of what was cut out, where they are widest. @type {Map<string, number>} */
  const widths = new Map()
  /** @type {string[]} */
  const cutNames = []
  let refused = 0
  for (const { cutting, at } of plan) {
    const scene = await sceneOf(cutting, at)
    const done = await steps(pixelsOf(scene), scene.kind, modelsFolder).catch(() => undefined)
    if (!done) {
      refused += 1
      tell(scene.name, 'no subject found')
      continue
    }
    for (const step of /** @type {const} */ (['raw', 'matte', 'refined'])) errors[step].push(alphaErrors(scene, done[step].data))
    for (const [step, value] of Object.entries(done.seconds)) seconds[step]?.push(value)
    const truth = { data: scene.alpha, width: scene.width, height: scene.height }
    names.push(scene.name)
    cutNames.push(cutting.name)
    widths.set(cutting.name, Math.max(widths.get(cutting.name) ?? 0, softWidth(scene)))
    colours.source.push(colourError(scene, scene.picture))
    const estimated = estimateForeground(pixelsOf(scene), truth).data
    colours.trueAlpha.push(colourError(scene, estimated))
    seen.source.push(shownColourError(scene, scene.picture))
    seen.trueAlpha.push(shownColourError(scene, estimated))
    colours.ownAlpha.push(colourError(scene, done.foreground.data))
    tell(
      scene.name,
      `IoU ${Object.values(errors)
        .map((list) => list.at(-1)?.iou.toFixed(3))
        .join(' ')}  band ${Object.values(errors)
        .map((list) => list.at(-1)?.band.toExponential(1))
        .join(' ')}  sure ${done.confidence.toFixed(2)}`,
    )
  }
  console.log(`\n${errors.raw.length} composites of known alpha, of ${cut.length} subjects, at 1.2 MP; ${refused} refused`)
  table(errors)
  // The mean is that of a few, named below; the median that of edges.
  for (const [name, list] of /** @type {const} */ ([
    ['as it was', colours.source],
    ['by the true alpha', colours.trueAlpha],
    ['by our own alpha', colours.ownAlpha],
  ])) {
    tell(
      `colour ${name}`,
      `MSE median ${shown(quantile(list, 0.5))}  mean ${shown(mean(list))}  at most 1e-3 in ${list.filter((value) => value <= 1e-3).length} of ${list.length}`,
    )
  }
  tell('as it shows', `alpha × colour, MSE mean ${shown(mean(seen.source))} as it was, ${shown(mean(seen.trueAlpha))} by the true alpha`)
  // Shadows, glass and reflections are soft all over; what a halo is made of are edges.
  const edges = colours.trueAlpha.filter((_, at) => (widths.get(cutNames[at] ?? '') ?? 0) <= MOST_EDGE_PX)
  tell('of edges alone', `MSE median ${shown(quantile(edges, 0.5))}  mean ${shown(mean(edges))}  of ${edges.length} (by the true alpha)`)
  const others = colours.trueAlpha.flatMap((value, at) => (value > 1e-3 ? [`${names[at]} ${value.toExponential(1)}`] : []))
  tell('above 1e-3', others.join(', '))
  tell(
    'processor seconds',
    Object.entries(seconds)
      .map(([step, list]) => `${step} ${mean(list).toFixed(2)}`)
      .join('  '),
  )
}

/** Seconds and peak memory at 12 MP, a process each; ratios to the raw model. */
function atTwelveMegapixels(/** @type {Tier} */ { modelsFolder }) {
  const script = fileURLToPath(new URL('./cutout-peak.mjs', import.meta.url))
  const measured = /** @type {const} */ (['raw', 'all', 'person']).map((what) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, what, ...(modelsFolder === undefined ? [] : [modelsFolder])], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    /** @type {{ busy: number, wall: number, refinement: number, peakBytes: number, megapixels: number }} */
    const one = JSON.parse(stdout)
    tell(
      `12 MP, ${what}`,
      `${one.busy.toFixed(2)} s of a processor, ${one.wall.toFixed(2)} s in all, peak ${(one.peakBytes / 1e9).toFixed(2)} GB`,
    )
    return one
  })
  const [raw, all] = measured
  if (all) tell('refinement', `${(all.refinement / all.megapixels).toFixed(3)} s a megapixel`)
  if (raw && all)
    tell('÷ raw', `${(all.busy / raw.busy).toFixed(2)} of its time, ${(all.peakBytes / raw.peakBytes).toFixed(2)} of its memory`)
}

/** Real photos have no true alpha: how alike the tiers see them, and how sure each is. */
async function overPhotos(/** @type {Tier[]} */ tiers, /** @type {number} */ share) {
  if (!existsSync(corpus)) console.log(`\nSkipped: photos of persons and things are not at ${corpus}.`)
  const photos = await photographs(share)
  const plan = subjects.flatMap((kind) => photos[kind].map((photo) => ({ ...photo, kind })))
  const sizes = subjects.map((kind) => `${kind} ${photos[kind].length}`).join(', ')
  console.log(`\nPhotos: ${sizes}; IoU between tiers, and how sure each is`)
  /** @type {Record<(typeof subjects)[number], { alike: number[], sure: number[], refused: number }>} */
  const all = { person: fresh(), goods: fresh(), general: fresh() }
  for (const { name, file, kind } of plan) {
    const pixels = await samplesOf(
      sharp(file).autoOrient().resize(1600, 1600, { fit: 'inside', withoutEnlargement: true }).toColourspace('srgb'),
    )
    const seen = []
    for (const { modelsFolder } of tiers) {
      const faces = await facesIn(pixels, kind, modelsFolder)
      const options = { faces, ...(modelsFolder !== undefined && { modelsFolder }) }
      const found = await predictMatte(pixels, kind, options).catch(() => undefined)
      seen.push(found && { ...found, refined: refineMatte(pixels, found.matte, kind, faces) })
    }
    const [own, hd] = seen
    const alike = own && hd ? overlapOf(own.refined.data, hd.refined.data) : NaN
    if (own) all[kind].sure.push(own.confidence)
    else all[kind].refused += 1
    if (own && hd) all[kind].alike.push(alike)
    tell(name, `${alike.toFixed(3)}  sure ${seen.map((one) => one?.confidence.toFixed(2) ?? 'no subject').join(' ')}`)
  }
  for (const kind of subjects) {
    const { alike, sure, refused } = all[kind]
    const shares = `below 0.5 in ${sure.filter((value) => value < 0.5).length} of ${sure.length}, ${refused} refused`
    tell(`all of ${kind}`, `IoU median ${quantile(alike, 0.5).toFixed(3)}, lowest tenth ${quantile(alike, 0.1).toFixed(3)}; sure ${shares}`)
  }
}

const fresh = () => ({ alike: /** @type {number[]} */ ([]), sure: /** @type {number[]} */ ([]), refused: 0 })

/** Intersection over union of two mattes. */
function overlapOf(/** @type {Uint8Array} */ one, /** @type {Uint8Array} */ other) {
  let [both, either] = [0, 0]
  for (let at = 0; at < one.length; at++) {
    const [left, right] = [one[at] ?? 0, other[at] ?? 0]
    both += Math.min(left, right)
    either += Math.max(left, right)
  }
  return either === 0 ? 1 : both / either
}

/** Measures every tier that is installed: over composites, at 12 MP and over photos. A number limits the composites, and the photos in proportion. */
export async function bench(/** @type {readonly string[]} */ _present, /** @type {readonly string[]} */ [words = ''] = []) {
  sharp.concurrency(1)
  const most = Number(words) || Infinity
  const { MODELS_DIR } = process.env
  /** @type {Tier[]} */
  const tiers = [{ name: 'default', modelsFolder: undefined }]
  if ((await modelFor('general', MODELS_DIR)).model.tier === 'hd') tiers.push({ name: 'hd', modelsFolder: MODELS_DIR })
  else console.log('Skipped: no HD model in MODELS_DIR.')
  for (const tier of tiers) {
    console.log(`\n== ${tier.name}: ${(await modelFor('general', tier.modelsFolder)).model.id}`)
    await overComposites(tier, most)
    atTwelveMegapixels(tier)
  }
  await overPhotos(tiers, Math.min(1, most / (2 * cuttings().length)))
}
