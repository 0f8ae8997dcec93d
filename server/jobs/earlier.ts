import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { jobs, type StoredInput, type StoredOutput } from '../database/schema.ts'
import type { Subject } from '#shared/tools/define'

/** Whose uploads are looked at, and what is cut out of them. */
interface Sought {
  readonly identityId: string
  readonly subject: Subject
  readonly inputs: readonly StoredInput[]
  readonly now: number
}

/**
 * The newest mattes that earlier jobs of the same person made of these uploads for the same subject, by the uploads' keys. One whose
 * upload was replaced since is of another picture, and none of these.
 */
export async function earlierMattes(
  db: Database,
  { identityId, subject, inputs, now }: Sought,
): Promise<ReadonlyMap<string, StoredOutput>> {
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
        sql`${jobs.outputs} @> ${JSON.stringify([{ part: 'matte', subject }])}::jsonb`,
      ),
    )
    .orderBy(jobs.position)
  // Of several the last stays.
  return new Map(
    rows.flatMap(({ inputs: [source], outputs }) => {
      const matte = outputs.find(({ part }) => part === 'matte')
      return source && matte && etags.get(source.key) === source.etag ? [[source.key, matte] as const] : []
    }),
  )
}
