import { fileURLToPath } from 'node:url'
import { ConfigError, type Config } from './config.ts'
import { DataFolderInUse } from './database/lock.ts'
import { DataMoved } from './database/moved.ts'
import * as database from './database/open.ts'
import type { DatabaseSource } from './database/open.ts'

/** Something to be said and no more: the person can mend it. */
export class Complaint extends Error {}

const template = fileURLToPath(new URL('../../dist/database-template', import.meta.url))

/** The embedded database of a data folder. */
export const embeddedIn = (dataFolder: string) => database.embeddedIn(dataFolder, template)

/** Where a command of the console finds the data, as the server does. */
export const sourceOf = (config: Config): DatabaseSource => database.sourceOf(config, template)

/** A database's address without its password. */
export function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? host}${pathname}`
}

function sayWhy(error: unknown): void {
  if (error instanceof ConfigError || error instanceof Complaint || error instanceof DataMoved) return console.error(error.message)
  if (error instanceof DataFolderInUse) {
    const owner = error.pid === undefined ? '另一个进程' : `进程 ${error.pid}`
    return console.error(`数据目录 ${error.folder} 正被${owner}使用：内置数据库同一时间只能由一个程序打开。请先停止服务，再运行此命令。`)
  }
  console.error('未能完成：', error)
}

/** Runs a command of the console; what goes wrong is said in words, and the exit code is 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    sayWhy(error)
    process.exitCode = 1
  }
}
