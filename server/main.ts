import { fileURLToPath } from 'node:url'
import { ConfigError, parseConfig } from './config.ts'
import { DiskFull } from './database/connection.ts'
import { DataFolderInUse } from './database/lock.ts'
import { DataMoved } from './database/moved.ts'
import { startProcess, type RunningProcess } from './server.ts'
import { configHelp } from './variables.ts'
import { codeOf } from '#engine/failures'

/** A server that does not end by itself in this time is ended. */
const CLOSE_LIMIT_MS = 9_000

const atRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Says in a sentence why the server can't start, where a person can mend it. */
function sayWhy(error: unknown, port: string | undefined): void {
  if (error instanceof ConfigError || error instanceof DataMoved || error instanceof DiskFull) return console.error(error.message)
  if (error instanceof DataFolderInUse) return console.error(`${error.message}请先停止它，或用环境变量 DATA_DIR 指定另一个目录。`)
  if (codeOf(error) === 'EADDRINUSE') {
    return console.error(`端口 ${port ?? 8080} 已被占用。请关闭占用它的程序，或用环境变量 PORT 指定另一个端口。`)
  }
  console.error('启动失败：', error)
}

function closeOnSignals(server: RunningProcess, drainMs: number): void {
  let isClosing = false
  const close = (): void => {
    // A second Ctrl-C means now.
    if (isClosing) process.exit(1)
    isClosing = true
    setTimeout(() => process.exit(1), CLOSE_LIMIT_MS + drainMs).unref()
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('关闭时出错：', error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', close)
  process.on('SIGTERM', close)
}

/** The role the command line asks for: `--role worker` is the same as ROLE=worker. */
function roleOf(words: readonly string[]): { readonly ROLE?: string } {
  const [word, role = '', ...rest] = words
  if (word === undefined) return {}
  if (word !== '--role' || rest.length > 0) throw new ConfigError(`不认识的参数：${words.join(' ')}。用法：npm start -- --role worker`)
  return { ROLE: role || '-' }
}

async function main(): Promise<void> {
  if (process.argv.includes('--help'))
    return console.log(`用法：npm start [-- --role all|api|worker|storage]\n\n环境变量（均可不填）：\n${configHelp()}`)
  try {
    const installation = { siteFolder: atRoot('dist/site'), databaseTemplate: atRoot('dist/database-template') }
    const config = parseConfig({ ...process.env, ...roleOf(process.argv.slice(2)) })
    const server = await startProcess(config, installation)
    closeOnSignals(server, config.drainMs)
    console.log(`轻图已启动：${server.url}`)
  } catch (error) {
    sayWhy(error, process.env['PORT'])
    process.exit(1)
  }
}

await main()
