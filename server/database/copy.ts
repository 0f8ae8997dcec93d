import { sql } from 'drizzle-orm'
import { quoted, type Database } from './connection.ts'
import { canonical, contentOf, insertRows, rowsOf, sequencesOf, tablesOf, Tally, type Asked, type Content, type Table } from './tables.ts'

/** What every table holds, and where every sequence stands. */
export interface Inventory {
  readonly tables: ReadonlyMap<string, Content>
  readonly sequences: ReadonlyMap<string, string>
}

/** A copy that is not what it was made from; nothing of it stays. */
export class CopyDiffers extends Error {}

const SNAPSHOT = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

/** Reads everything as it is at one moment. `meanwhile` is called in that moment's transaction. */
export async function takeInventory(db: Database, meanwhile?: (tx: Asked) => Promise<void>): Promise<Inventory> {
  return db.transaction(async (tx) => {
    await canonical(tx)
    await meanwhile?.(tx)
    return inventoryIn(tx, await tablesOf(tx))
  }, SNAPSHOT)
}

async function inventoryIn(tx: Asked, tables: readonly Table[]): Promise<Inventory> {
  const contents = new Map<string, Content>()
  for (const table of tables) contents.set(table.name, await contentOf(tx, table))
  return { tables: contents, sequences: await sequencesOf(tx) }
}

/** What differs, in words for whoever started the copy; empty where both hold the same. */
export function differences(one: Inventory, other: Inventory): readonly string[] {
  const names = new Set([...one.tables.keys(), ...other.tables.keys()])
  const tables = [...names].filter((name) => {
    const [left, right] = [one.tables.get(name), other.tables.get(name)]
    return left?.rows !== right?.rows || left?.digest !== right?.digest
  })
  const sequences = [...one.sequences].filter(([name, last]) => other.sequences.get(name) !== last).map(([name]) => name)
  return [...tables, ...sequences]
}

/** Whether no table holds a row. */
export const isEmpty = ({ tables }: Inventory): boolean => [...tables.values()].every(({ rows }) => rows === 0)

/**
 * Copies every row and sequence into a database that has the same tables, all empty, in one transaction there; it commits only after
 * all of it was read back and is the same. Throws CopyDiffers.
 */
export async function copyAll(source: Database, target: Database): Promise<Inventory> {
  return source.transaction(async (from) => {
    await canonical(from)
    return target.transaction(async (into) => {
      await canonical(into)
      const tables = await tablesOf(from)
      const copied = new Map<string, Content>()
      for (const table of tables) copied.set(table.name, await copyTable(from, into, table))
      const sequences = await sequencesOf(from)
      for (const [name, last] of sequences) await into.execute(sql`select setval(${quoted(name)}::regclass, ${last}::bigint)`)
      const wanted = { tables: copied, sequences }
      const differing = differences(wanted, await inventoryIn(into, await tablesOf(into)))
      if (differing.length > 0) throw new CopyDiffers(differing.join(', '))
      return wanted
    })
  }, SNAPSHOT)
}

async function copyTable(from: Asked, into: Asked, table: Table): Promise<Content> {
  const tally = new Tally()
  for await (const rows of rowsOf(from, table)) {
    tally.add(rows)
    await insertRows(into, table, rows)
  }
  return tally.content
}
