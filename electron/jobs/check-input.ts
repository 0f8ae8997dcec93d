import { open, type FileHandle } from 'node:fs/promises'
import type { LocalInput } from './job.ts'
import type { Grants } from '../files/grants.ts'
import { sameFile } from '../files/real-path.ts'
import { checkHead, HEAD_BYTES } from '#engine/image/identify'
import type { jobInput } from '#shared/api/jobs'
import { MAX_LOCAL_BYTES } from '#shared/desktop'
import { AppError } from '#shared/errors/app-error'
import type { FormatId } from '#shared/formats'
import { safeName, safePath } from '#shared/names'
import type { z } from 'zod/mini'

/** An input as it will be worked on, or why it can't be. */
export type CheckedInput = LocalInput & { readonly refusal?: AppError }

/** An input as it is named from here on. */
export const namedInput = ({ key, name, path, place }: z.output<typeof jobInput>): Omit<LocalInput, 'bytes' | 'path'> => ({
  key,
  name: safeName(name),
  ...(path !== undefined && path !== '' && { folder: safePath(path) }),
  ...(place !== undefined && { place }),
})

/** An input with the file its key stands for, and the reason when that can't be processed. */
export async function checkInput(
  grants: Grants,
  accepts: readonly FormatId[] | 'any',
  input: z.output<typeof jobInput>,
): Promise<CheckedInput> {
  const named = namedInput(input)
  const grant = grants.find(input.key)
  if (!grant) return { ...named, path: '', bytes: 0, refusal: new AppError('upload.missing', {}) }
  const { path } = grant
  try {
    const { bytes, tag } = await sameFile(path)
    if (bytes > MAX_LOCAL_BYTES) throw new AppError('file.too-large', { limitBytes: MAX_LOCAL_BYTES })
    if (accepts !== 'any') await checkHead(await headOf(path), accepts, named.name)
    return { ...named, path, bytes, tag }
  } catch (error) {
    if (error instanceof AppError) return { ...named, path, bytes: 0, refusal: error }
    throw error
  }
}

/**
 * The file that options call for beside the inputs. Throws what it can't be used for, in words that tell it from the inputs, which have
 * nothing wrong with them.
 */
export async function checkAttachment(
  grants: Grants,
  { accepts, label }: { readonly accepts: readonly FormatId[]; readonly label: string },
  attachment: z.output<typeof jobInput> | undefined,
): Promise<LocalInput> {
  if (!attachment) throw new AppError('options.background-missing', { label })
  const { refusal: cause, ...input } = await checkInput(grants, accepts, attachment)
  if (!cause) return input
  const isLost = cause.code === 'upload.missing' || cause.code === 'file.missing'
  throw new AppError(isLost ? 'options.background-lost' : 'options.background-unreadable', { label }, { cause })
}

async function headOf(path: string): Promise<Buffer> {
  await using file: FileHandle = await open(path).catch((cause: unknown) => {
    throw new AppError('file.no-access', {}, { cause })
  })
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
