import { spawn } from 'node:child_process'
import { electronBinary } from './electron-binary.mjs'
import { ensurePackages, root } from './setup.mjs'

ensurePackages()
const binary = electronBinary()
if (binary === undefined) {
  console.error('没有可用的 Electron：先运行 npx install-electron 下载，或用环境变量 ELECTRON_BIN 指定 Electron 程序的路径。')
  process.exit(1)
}
const { build } = await import('./build.mjs')
await build()
const server = process.env['QINGTU_SERVER'] || 'http://127.0.0.1:8080'
console.log(`轻图客户端已启动，服务器：${server}（须已由 npm start 启动，没有它时只能断网使用）`)
// Root has no sandbox on Linux.
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const client = spawn(binary, [...(isRoot ? ['--no-sandbox'] : []), root, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, QINGTU_SERVER: server },
})
client.on('exit', (code) => (process.exitCode = code ?? 1))
