import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { jobs, type StoredInput, type StoredOutput } from '../database/schema.ts'
import type { Subject } from '#shared/tools/define'
import { isToolId, subjectOf } from '#shared/tools/index'

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
    .select({ tool: jobs.tool, options: jobs.options, inputs: jobs.inputs, outputs: jobs.outputs })
    .from(jobs)
    .where(
      and(
        eq(jobs.identityId, identityId),
        eq(jobs.state, 'done'),
        gt(jobs.expiresAt, new Date(now)),
        inArray(sql`${jobs.inputs} -> 0 ->> 'key'`, [...etags.keys()]),
      ),
    )
    .orderBy(desc(jobs.position))
  const mattes = new Map<string, StoredOutput>()
  for (const { tool, options, inputs: had, outputs } of rows) {
    const [source] = had
    const matte = outputs.find(({ part }) => part === 'matte')
    if (!source || !matte || mattes.has(source.key) || etags.get(source.key) !== source.etag) continue
    if (isToolId(tool) && subjectOf(tool, options as Record<string, unknown>) === subject) mattes.set(source.key, matte) // the options this job ran with
  }
  return mattes
}
