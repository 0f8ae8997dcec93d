import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Inventory } from '../database/copy.ts'
import { Complaint } from '../console.ts'

const contents = z.record(z.string(), z.object({ rows: z.number(), digest: z.string() }))

const manifest = z.object({
  format: z.literal(1),
  kind: z.enum(['embedded', 'postgres']),
  at: z.string(),
  tables: contents,
  sequences: z.record(z.string(), z.string()),
})

/** What a backup says of itself: so that whoever restores it knows that all of it is there. */
export interface Manifest {
  readonly kind: 'embedded' | 'postgres'
  readonly at: string
  readonly inventory: Inventory
}

/** The database's files in a backup, and the secret of the installation. */
export const DUMP = 'database.dump'
export const SECRET = 'secret.key'

const fileOf = (folder: string): string => join(folder, 'backup.json')

export async function writeManifest(folder: string, { kind, at, inventory }: Manifest): Promise<void> {
  const tables = Object.fromEntries(inventory.tables)
  const sequences = Object.fromEntries(inventory.sequences)
  await writeFile(fileOf(folder), JSON.stringify({ format: 1, kind, at, tables, sequences }, undefined, 2), { flush: true })
}

/** Whether a folder is a whole backup: what says so is written last. */
export const isBackup = (folder: string): boolean => existsSync(fileOf(folder))

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(fileOf(folder), 'utf8').catch(() => {
    throw new Complaint(`${folder} 不是备份：里面没有 backup.json。请指定 npm run backup 生成的文件夹（qingtu-日期-时间）。`)
  })
  const { kind, at, tables, sequences } = manifest.parse(JSON.parse(text))
  return { kind, at, inventory: { tables: new Map(Object.entries(tables)), sequences: new Map(Object.entries(sequences)) } }
}
