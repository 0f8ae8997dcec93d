import { KEPT_MS } from './queue.ts'
import { isOwnUpload } from './keys.ts'
import type { StoredInput } from '../database/schema.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { checkHead, HEAD_BYTES } from '#engine/image/identify'
import type { jobInput } from '#shared/api/jobs'
import { AppError } from '#shared/errors/app-error'
import type { FormatId } from '#shared/formats'
import { safeName, safePath } from '#shared/names'
import type { z } from 'zod'

/** What uploads must keep to, and where they lie. */
export interface InputRules {
  readonly store: ObjectStore
  readonly now: () => number
  readonly maxFileBytes: number
}

/** An input as it is named from here on. A key that can't be the identity's upload is not even remembered: what a job names goes with it. */
export const namedInput = (
  identityId: string,
  { key, name, path, place }: z.output<typeof jobInput>,
): Omit<StoredInput, 'bytes' | 'etag'> => ({
  key: isOwnUpload(identityId, key) ? key : '',
  name: safeName(name),
  ...(path !== undefined && { path: safePath(path) }),
  ...(place !== undefined && { place }),
})

/** An input as it is stored, with the reason when it can't be processed. Another's file is as good as none. */
export async function checkInput(
  rules: InputRules,
  identityId: string,
  accepts: readonly FormatId[] | 'any',
  input: z.output<typeof jobInput>,
): Promise<StoredInput & { refusal?: AppError }> {
  const named = namedInput(identityId, input)
  if (named.key === '') return { ...named, bytes: 0, refusal: new AppError('upload.missing', {}) }
  const { object, start } = await look(rules.store, input.key, accepts !== 'any')
  const isFresh = object !== undefined && object.modifiedMs > rules.now() - KEPT_MS
  if (!isFresh) return { ...named, bytes: 0, refusal: new AppError('upload.missing', {}) }
  const { bytes, etag } = object
  if (bytes > rules.maxFileBytes) return { ...named, bytes, refusal: new AppError('file.too-large', { limitBytes: rules.maxFileBytes }) }
  try {
    if (accepts !== 'any') await checkHead(start, accepts, named.name)
    return { ...named, bytes, etag }
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('file.')) return { ...named, bytes, refusal: error }
    throw error
  }
}

/**
 * The file that options call for beside the inputs, as it is stored. Throws what it can't be used for, in words that tell it from the
 * inputs, which have nothing wrong with them.
 */
export async function checkAttachment(
  rules: InputRules,
  identityId: string,
  { accepts, label }: { readonly accepts: readonly FormatId[]; readonly label: string },
  attachment: z.output<typeof jobInput> | undefined,
): Promise<StoredInput> {
  if (!attachment) throw new AppError('options.background-missing', { label })
  const { refusal: cause, ...input } = await checkInput(rules, identityId, accepts, attachment)
  if (!cause) return { ...input, isAttachment: true }
  throw new AppError(cause.code === 'upload.missing' ? 'options.background-lost' : 'options.background-unreadable', { label }, { cause })
}

/** What the storage has under a key, with its first bytes where they are asked for: in one question. */
async function look(store: ObjectStore, key: string, wantsStart: boolean) {
  const found = wantsStart ? await store.peek(key, HEAD_BYTES) : { object: await store.head(key), start: Buffer.alloc(0) }
  return found ?? { object: undefined, start: Buffer.alloc(0) }
}
