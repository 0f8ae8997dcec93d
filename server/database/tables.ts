import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { quoted, type Database } from './connection.ts'

/** A table of ours, as the database knows it: so none can be forgotten. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  /** As in a cast: `timestamp with time zone`. */
  readonly type: string
}

/** What a table holds: how many rows, and one number of all their texts. */
export interface Content {
  readonly rows: number
  readonly digest: string
}

/** The database or a transaction in it, for what is asked in plain words. */
export type Asked = Pick<Database, 'execute'>

/** Values as text, an absent one as null: every type has one, the same on every PostgreSQL under `canonical`. */
export type Row = readonly (string | null)[]

const PAGE_ROWS = 500

/** Has a transaction write every value in one way, and wait as long as it takes. */
export async function canonical(tx: Asked): Promise<void> {
  const settings = `datestyle = 'ISO, YMD'; timezone = 'UTC'; extra_float_digits = 1; bytea_output = 'hex'; intervalstyle = 'postgres';
    statement_timeout = 0; idle_in_transaction_session_timeout = 0`
  for (const setting of settings.split(';')) await tx.execute(sql.raw(`set local ${setting}`))
}

/** The tables, each after those its rows refer to. Throws where two refer to each other. */
export async function tablesOf(db: Asked): Promise<readonly Table[]> {
  const { rows } = await db.execute<Table & Record<string, unknown>>(sql`
    select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attname) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`)
  const references = await db.execute<{ from: string; to: string }>(sql`
    select r.relname as from, t.relname as to
    from pg_constraint f join pg_class r on r.oid = f.conrelid join pg_class t on t.oid = f.confrelid
    where f.contype = 'f' and r.relnamespace = 'public'::regnamespace and f.conrelid <> f.confrelid`)
  const waiting = new Map(rows.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ name }) => !references.rows.some(({ from, to }) => from === name && waiting.has(to)))
    if (ready.length === 0) throw new Error(`tables that refer to each other: ${[...waiting.keys()].join(', ')}`)
    for (const { name } of ready) waiting.delete(name)
    ordered.push(...ready)
  }
  return ordered
}

/** All rows of a table, some at a time, in a transaction that is `canonical`. */
export async function* rowsOf(tx: Asked, { name, columns }: Table): AsyncGenerator<readonly Row[]> {
  const texts = columns.map((column) => `${quoted(column.name)}::text`).join(', ')
  await tx.execute(sql.raw(`declare all_rows no scroll cursor for select array[${texts}] as "row" from ${quoted(name)}`))
  for (;;) {
    const { rows } = await tx.execute<{ row: Row }>(sql.raw(`fetch ${PAGE_ROWS} from all_rows`))
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await tx.execute(sql.raw('close all_rows'))
}

/** Puts rows into a table, ids and all. */
export async function insertRows(tx: Asked, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const cast = columns.map((column) => `given.${quoted(column.name)}::${column.type}`).join(', ')
  const lists: SQL[] = columns.map((_, at) => sql`${sql.param(rows.map((row) => row[at] ?? null))}::text[]`)
  await tx.execute(sql`
    insert into ${sql.raw(quoted(name))} (${sql.raw(names)}) overriding system value
    select ${sql.raw(cast)} from unnest(${sql.join(lists, sql`, `)}) as given (${sql.raw(names)})`)
}

/** Adds up what rows hold: the sum of their SHA-256, for which their order is nothing. */
export class Tally {
  #rows = 0
  #sum = 0n

  add(rows: readonly Row[]): void {
    for (const row of rows) this.#sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(row)).digest('hex')}`)
    this.#rows += rows.length
  }

  get content(): Content {
    return { rows: this.#rows, digest: BigInt.asUintN(256, this.#sum).toString(16).padStart(64, '0') }
  }
}

/** What a table holds, read row by row, in a transaction that is `canonical`. */
export async function contentOf(tx: Asked, table: Table): Promise<Content> {
  const tally = new Tally()
  for await (const rows of rowsOf(tx, table)) tally.add(rows)
  return tally.content
}

/** Where every sequence stands, by its name: those of identity columns, too. */
export async function sequencesOf(db: Asked): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.execute<{ name: string; last: string | null }>(sql`
    select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`)
  return new Map(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])))
}
