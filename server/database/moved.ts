import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#engine/failures'

const fileOf = (folder: string): string => join(folder, 'moved.json')

/** What a folder holds was copied to a PostgreSQL server and lives on there; the message is for the person who opens it. */
export class DataMoved extends Error {}

/** Notes that a folder's data live on elsewhere, so that nobody goes on with the old ones by accident. */
export async function markMoved(folder: string, place: string, at: Date): Promise<void> {
  await writeFile(fileOf(folder), JSON.stringify({ place, at: at.toISOString() }), { flush: true })
}

/** Throws DataMoved where `markMoved` was called. */
export async function refuseMoved(folder: string): Promise<void> {
  const noted = await readFile(fileOf(folder), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (noted === undefined) return
  throw new DataMoved(
    `${folder} 里的数据已经迁移到 PostgreSQL（${noted}）：请设置环境变量 DATABASE_URL，指向那个数据库。\n` +
      `要退回内置数据库（迁移以后产生的数据不会带回来），请删除文件 ${fileOf(folder)}。`,
  )
}
