import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { jobs, type StoredInput, type StoredOutput } from '../database/schema.ts'
import { STROKES_ALONE } from '#shared/tools/finding'

/** Whose uploads are looked at, and what is found in them. */
interface Sought {
  readonly identityId: string
  readonly finding: string
  readonly inputs: readonly StoredInput[]
  readonly now: number
}

/** What an earlier job found; without a file where there was nothing to find. */
export interface Earlier {
  readonly part: StoredOutput | undefined
}

/**
 * What earlier jobs of the same person found in these uploads, the newest of each, by the uploads' keys. What was found in an upload that
 * was replaced since is of another picture, and none of these.
 */
export async function earlierFindings(db: Database, { identityId, finding, inputs, now }: Sought): Promise<ReadonlyMap<string, Earlier>> {
  const etags = new Map(inputs.flatMap(({ key, etag }) => (etag === undefined ? [] : [[key, etag] as const])))
  if (etags.size === 0) return new Map()
  const rows = await db
    .select({ inputs: jobs.inputs, outputs: jobs.outputs })
    .from(jobs)
    .where(
      and(
        eq(jobs.identityId, identityId),
        eq(jobs.state, 'done'),
        gt(jobs.expiresAt, new Date(now)),
        inArray(sql`${jobs.inputs} -> 0 ->> 'key'`, [...etags.keys()]),
        sql`${jobs.outputs} @> ${JSON.stringify([{ subject: finding }])}::jsonb`,
      ),
    )
    .orderBy(jobs.position)
  // Of several the last stays.
  return new Map(
    rows.flatMap(({ inputs: [source], outputs }) => {
      const part = outputs.find((output) => output.part === 'matte' || output.part === 'chroma')
      const isWhole = part !== undefined || finding === STROKES_ALONE
      return source && isWhole && etags.get(source.key) === source.etag ? [[source.key, { part }] as const] : []
    }),
  )
}
