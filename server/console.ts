import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { ConfigError, type Config } from './config.ts'
import { DataFolderInUse } from './database/lock.ts'
import { DataMoved } from './database/moved.ts'
import * as database from './database/open.ts'
import type { DatabaseSource } from './database/open.ts'
import * as schema from './database/schema.ts'

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

/** Uses a PostgreSQL database on one connection, its tables as they are. Throws Complaint where it can't be reached. */
export async function usingPostgres<T>(url: string, use: (db: database.Database) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {}) // the query under way fails by itself
  await client.connect().catch((error: unknown) => {
    throw new Complaint(`连接不上 PostgreSQL（${placeOf(url)}）：${error instanceof Error ? error.message : String(error)}`)
  })
  return use(drizzle(client, { schema })).finally(() => client.end())
}

function sayWhy(error: unknown): void {
  if (error instanceof ConfigError || error instanceof Complaint || error instanceof DataMoved) return console.error(error.message)
  if (error instanceof DataFolderInUse)
    return console.error(`${error.message}内置数据库同一时间只能由一个程序打开。请先停止服务，再运行此命令。`)
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
