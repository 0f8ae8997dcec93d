import { randomText } from '../secrets.ts'
import { isObjectKey } from '../storage/local/object-key.ts'
import type { ObjectStore } from '../storage/object-store.ts'

/** Where an identity's uploads lie; its temporary credentials reach no further. */
export const uploadPrefix = (identityId: string): string => `u/${identityId}/`

/** The identity an upload's key names. */
export const ownerOfUpload = (key: string): string | undefined => /^u\/([^/]+)\//.exec(key)?.[1]

/** Whether a key is one an identity's upload can have. People send keys: a foreign or impossible one never reaches the storage. */
export const isOwnUpload = (identityId: string, key: string): boolean => key.startsWith(uploadPrefix(identityId)) && isObjectKey(key)

/** Where the results of an identity, or of one of its jobs, lie. */
export const resultPrefix = (identityId: string, jobId = ''): string => `r/${identityId}/${jobId && `${jobId}/`}`

/** A result's key. The same at every run of a job, so that a second run replaces what the first left. */
export const resultKey = (identityId: string, jobId: string, n: number): string => `${resultPrefix(identityId, jobId)}${n}`

/** The keys of what is stored as a job's results, whether the job is known to have them or not. */
export async function storedResults(store: ObjectStore, identityId: string, jobId: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(resultPrefix(identityId, jobId))) keys.push(key)
  return keys
}

/** The identity and job a result's key names. */
export function ownerOfResult(key: string): { identityId: string; jobId: string } | undefined {
  const [, identityId, jobId] = /^r\/([^/]+)\/([^/]+)\//.exec(key) ?? []
  return identityId && jobId ? { identityId, jobId } : undefined
}

/** By what support and the log find a failed job, as `ref` does for a failed call. */
export const refOf = (jobId: string): string => jobId.slice(0, 8)

/** A name for a call that brought none of its own. */
export const newRequestKey = (): string => `own-${randomText(20)}`
