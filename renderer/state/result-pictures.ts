import type { Output } from './rows.ts'
import { makeThumbnail } from './thumbnails.ts'
import { isShownByBrowsers } from '#shared/formats'

/** A result larger than this is not fetched for a small picture of it. */
const MAX_BYTES = 8 * 1024 ** 2
/** More than are ever in sight. */
const KEPT = 300

/** Small pictures of results by their jobs, the ones asked for first in front. */
const pictures = new Map<string, Promise<string | undefined>>()

/** The address of a small picture of a job's result, made once; undefined where there is none to be had. */
export function resultPicture(jobId: string, output: Output): Promise<string | undefined> {
  const known = pictures.get(jobId)
  if (known) return known
  const making = make(output)
  pictures.set(jobId, making)
  const [oldest] = pictures
  if (oldest && pictures.size > KEPT) {
    pictures.delete(oldest[0])
    void oldest[1].then((url) => url !== undefined && URL.revokeObjectURL(url))
  }
  return making
}

async function make({ bytes, format, name, url }: Output): Promise<string | undefined> {
  if (bytes > MAX_BYTES || !isShownByBrowsers(format)) return undefined
  try {
    const answer = await fetch(url)
    if (!answer.ok) return undefined
    const file = new File([await answer.blob()], name)
    return await new Promise((resolve) => makeThumbnail(file, (made) => resolve(made.kind === 'picture' ? made.url : undefined)))
  } catch {
    return undefined
  }
}
