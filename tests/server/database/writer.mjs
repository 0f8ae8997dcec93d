/** Writes pairs of rows, one transaction a pair, and says each pair's number once it is acknowledged. Goes on until it is killed. */
import { openDatabase } from '#server/database/open'

const [folder = '', template = ''] = process.argv.slice(2)
const { db } = await openDatabase({ kind: 'embedded', folder, template })
await db.execute('create table if not exists debit (n integer primary key, filling text)')
await db.execute('create table if not exists credit (n integer primary key, filling text)')
const { rows } = await db.execute('select coalesce(max(n) + 1, 0) as first from debit')
for (let n = Number(rows[0]?.['first']); ; n++) {
  await db.transaction(async (transaction) => {
    for (const table of ['debit', 'credit']) await transaction.execute(`insert into ${table} values (${n}, repeat('x', ${(n * 37) % 900}))`)
  })
  process.send?.(n)
}
