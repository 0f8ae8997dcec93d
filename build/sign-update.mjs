import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Why a manifest must not be signed, undefined where it may: the installer beside it is the one it describes. */
function refusal(/** @type {string} */ path) {
  const text = readFileSync(path, 'utf8')
  const [, name = '', hash] = /^ {2}- url: (\S+)\r?\n {4}sha512: (\S+)$/m.exec(text) ?? []
  const installer = join(dirname(path), name)
  if (name === '' || !existsSync(installer)) return `旁边没有它说的安装程序：${name}`
  return createHash('sha512').update(readFileSync(installer)).digest('base64') === hash ? undefined : `${name} 与 ${path} 里的 SHA-512 不符`
}

/** The public half of a key as the build takes it in UPDATES_KEY. */
const publicPart = (/** @type {import('node:crypto').KeyObject} */ key) => createPublicKey(key).export({ format: 'jwk' }).x

const [word = '', path = ''] = process.argv.slice(2)
if (word === 'keys' && path !== '' && !existsSync(path)) {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
  console.log(`私钥：${path}（只在发布更新时使用，另存备份，不要放进代码库）\nUPDATES_KEY=${publicPart(privateKey)}`)
} else if (word.endsWith('.yml') && existsSync(word) && process.env['UPDATES_SIGNING_KEY']) {
  const complaint = refusal(word)
  if (complaint !== undefined) {
    console.error(complaint)
    process.exit(1)
  }
  const key = createPrivateKey(readFileSync(process.env['UPDATES_SIGNING_KEY']))
  writeFileSync(`${word}.sig`, `${sign(null, readFileSync(word), key).toString('base64')}\n`)
  console.log(`${word}.sig（公钥 ${publicPart(key)}）：与 ${word} 和安装程序一起上传到 UPDATES_URL。`)
} else {
  console.error(`用法：
  npm run sign-update -- keys 私钥.pem                              # 生成一对密钥；已有的文件不会覆盖
  UPDATES_SIGNING_KEY=私钥.pem npm run sign-update -- latest.yml    # 核对旁边的安装程序，再给清单签名`)
  process.exit(2)
}
