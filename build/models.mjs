import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { compile } from './compile.mjs'
import { fetchImgly, terms } from './imgly.mjs'
import { ensurePackages } from './setup.mjs'
import { inTurn } from './turn.mjs'

const USAGE = `用法：npm run models                                  列出抠图、上色、文字识别、人脸模型及其状态
      npm run models -- add <模型> <文件>             校验文件，放入 MODELS_DIR 并登记其 SHA-256
      npm run models -- add imgly --accept-agpl      从 npm 取得 imgly 的模型（AGPL-3.0）

同一主体按列出的顺序使用第一个可用的模型；放入或更换模型后请重新启动服务。`

const SUBJECTS = { person: '人像', goods: '物品', general: '通用' }
const TIERS = { default: '标准', hd: '高清' }
const STATES = { shipped: '内置', installed: '已安装', missing: '未安装', changed: '校验不符，不会使用', unknown: '未登记，请用 add 放入' }

ensurePackages()
await inTurn(compile)
const [
  { models, personModel },
  { colourModels },
  { ocrModels },
  { shippedFaceModels, yunet },
  { stateOf, shippedFolder, isGenuine },
  { acceptModel, Refused },
] = await Promise.all([
  import('#engine/ai/models'),
  import('#engine/ai/colour-models'),
  import('#engine/ai/ocr-models'),
  import('#engine/ai/face-models'),
  import('#engine/ai/installed'),
  import('#engine/ai/accept'),
])
const { MODELS_DIR } = process.env
const modelsFolder = MODELS_DIR === undefined ? undefined : resolve(MODELS_DIR)

async function list() {
  console.log(`MODELS_DIR：${modelsFolder ?? '未设置'}\n`)
  for (const model of models) {
    const { id, tier, subjects, file, bytes, licence, source } = model
    const state = STATES[await stateOf(model, modelsFolder)]
    console.log(
      `${id}  ${TIERS[tier]}  ${subjects.map((one) => SUBJECTS[one]).join('、')}  ${(bytes / 1e6).toFixed(1)} MB  ${licence}  ${state}`,
    )
    console.log(`    ${file}\n    ${source}`)
  }
  await listNamed('人物（与人像的模型一同使用）', [personModel])
  await listNamed('上色（黑白照片）', colourModels)
  await listNamed('文字识别（检测、识别、字表三个文件齐全才会使用）', ocrModels)
  await listFaces()
  console.log(`\n${USAGE}`)
}

/** Models of one job, best first. */
async function listNamed(
  /** @type {string} */ title,
  /** @type {readonly (typeof personModel | typeof colourModels[number] | typeof ocrModels[number])[]} */ named,
) {
  console.log(`\n${title}`)
  for (const model of named) {
    const { id, tier, file, bytes, licence, source } = model
    console.log(`${id}  ${TIERS[tier]}  ${(bytes / 1e6).toFixed(1)} MB  ${licence}  ${STATES[await stateOf(model, modelsFolder)]}`)
    console.log(`    ${file}\n    ${source}`)
  }
}

/** The models of faces, which have a job of their own. YuNet is used as soon as its file lies in the folder. */
async function listFaces() {
  console.log('\n人脸（证件照）')
  const places = /** @type {const} */ ([
    [shippedFaceModels.detector, shippedFolder, STATES.shipped],
    [shippedFaceModels.landmarks, shippedFolder, STATES.shipped],
    [yunet, modelsFolder, STATES.installed],
  ])
  for (const [{ file, digest, licence, source }, folder, found] of places) {
    const path = folder === undefined ? undefined : join(folder, file)
    const state = path === undefined || !existsSync(path) ? STATES.missing : (await isGenuine(path, digest)) ? found : STATES.changed
    console.log(`${file}  ${licence}  ${state}\n    ${source}`)
  }
}

/** Takes a file into the folder. @returns the exit status */
async function add(/** @type {string} */ id, /** @type {string} */ path) {
  const model = [...models, ...colourModels, ...ocrModels].find((one) => one.id === id && one.tier === 'hd')
  if (!model || modelsFolder === undefined) {
    console.error(modelsFolder === undefined ? '请先设置环境变量 MODELS_DIR，即模型所在目录。' : USAGE)
    return 2
  }
  const sha256 = await acceptModel(model, resolve(path), modelsFolder)
  console.log(`已放入 ${join(modelsFolder, model.file)}\nSHA-256 ${sha256}`)
  return 0
}

/** Fetches the weights of imgly and takes them in. @returns the exit status */
async function addImgly(/** @type {boolean} */ isAccepted) {
  if (!isAccepted || modelsFolder === undefined) {
    console.error(isAccepted ? '请先设置环境变量 MODELS_DIR，即模型所在目录。' : terms)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-imgly-'))
  try {
    const { path, licence } = fetchImgly(folder)
    console.log(`${licence}\n`)
    const status = await add('imgly', path)
    mkdirSync(modelsFolder, { recursive: true })
    writeFileSync(join(modelsFolder, 'imgly-LICENSE.md'), licence)
    return status
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<number>} the exit status */
async function perform(/** @type {readonly string[]} */ words) {
  const [command, id = '', path] = words
  if (command === undefined) {
    await list()
    return 0
  }
  if (command === 'add' && id === 'imgly' && (path === undefined || path === '--accept-agpl')) return addImgly(path !== undefined)
  if (command === 'add' && path !== undefined && !path.startsWith('--')) return add(id, path)
  console.error(USAGE)
  return 2
}

try {
  process.exitCode = await perform(process.argv.slice(2))
} catch (thrown) {
  if (!(thrown instanceof Error)) throw thrown
  console.error(thrown instanceof Refused ? thrown.message : `未能完成：${thrown.message}`)
  process.exitCode = 1
}
