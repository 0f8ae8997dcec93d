import { createHash } from 'node:crypto'
import type { Disk } from './disk.ts'
import type { Objects } from './objects.ts'
import { OssError } from './oss-error.ts'
import { noSuchUpload, type Upload, type Uploads } from './uploads.ts'
import { parseXml, textOf } from './xml.ts'

/** OSS's own bound, for all parts but the last. */
const SMALLEST_PART_BYTES = 100 * 1024
export const MOST_PARTS = 10_000

/** A part as the client knows it. */
interface NamedPart {
  readonly number: number
  readonly etag: string
}

interface Shelves {
  readonly disk: Disk
  readonly objects: Objects
  readonly uploads: Uploads
}

const invalidPart = (): OssError => new OssError('InvalidPart', 'One or more of the specified parts could not be found or have changed.')

/** The parts a client wants joined. Throws MalformedXML, InvalidPartOrder, InvalidPart. */
export function parseParts(source: string): NamedPart[] {
  const root = parseXml(source)
  const parts = root?.children.map((part) => ({
    isPart: part.name === 'Part',
    number: Number(textOf(part, 'PartNumber')?.match(/^\d{1,5}$/)?.[0]),
    etag: (textOf(part, 'ETag') ?? '').replaceAll('"', '').toUpperCase(),
  }))
  const isSound = (part: NamedPart & { isPart: boolean }): boolean => part.isPart && part.number >= 1 && part.number <= MOST_PARTS
  if (root?.name !== 'CompleteMultipartUpload' || !parts?.length || !parts.every(isSound))
    throw new OssError('MalformedXML', 'The XML you provided was not well-formed.')
  if (parts.some((part, at) => part.number <= (parts[at - 1]?.number ?? 0)))
    throw new OssError('InvalidPartOrder', 'The list of parts was not in ascending order.')
  if (!parts.every(({ etag }) => /^[0-9A-F]{32}$/.test(etag))) throw invalidPart()
  return parts
}

/** The MD5 of the parts' MD5s, and how many there are. */
function joinedEtag(parts: readonly NamedPart[]): string {
  const hash = createHash('md5')
  for (const { etag } of parts) hash.update(etag, 'hex')
  return `${hash.digest('hex').toUpperCase()}-${parts.length}`
}

/** How many bytes the parts make. Throws for what is missing, changed or too small. */
async function weigh(uploads: Uploads, id: string, parts: readonly NamedPart[]): Promise<number> {
  let bytes = 0
  for (const [at, { number, etag }] of parts.entries()) {
    const part = await uploads.part(id, number)
    if (part?.facts.etag !== etag) throw invalidPart()
    if (part.bytes < SMALLEST_PART_BYTES && at < parts.length - 1)
      throw new OssError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size.')
    bytes += part.bytes
  }
  return bytes
}

async function* joined(uploads: Uploads, id: string, parts: readonly NamedPart[]): AsyncGenerator<Uint8Array> {
  for (const { number, etag } of parts) {
    const part = await uploads.openPart(id, number)
    if (part === undefined) throw invalidPart()
    try {
      if (part.facts.etag !== etag) throw invalidPart()
      const buffer = Buffer.allocUnsafe(1024 ** 2)
      for (let at = 0; at < part.bytes;) {
        const { bytesRead } = await part.handle.read(buffer, 0, Math.min(buffer.length, part.bytes - at), at)
        if (bytesRead === 0) throw new Error('a part is shorter than it says')
        yield buffer.subarray(0, bytesRead)
        at += bytesRead
      }
    } finally {
      await part.handle.close()
    }
  }
}

/**
 * Joins the parts of an upload into its object and returns the ETag. Asked again after success, as a client does that lost the
 * answer, it answers the same as long as the object is still the one it made (OSS itself says NoSuchUpload then).
 */
export async function completeUpload(
  { disk, objects, uploads }: Shelves,
  { id, key, parts, nowMs }: { id: string; key: string; parts: readonly NamedPart[]; nowMs: number },
  admit: (bytes: number) => Promise<void>,
): Promise<string> {
  const etag = joinedEtag(parts)
  return uploads.inTurn(id, async () => {
    let upload: Upload
    try {
      upload = await uploads.find(id, key)
    } catch (thrown) {
      const made = await objects.read(key)
      if (made?.facts.uploadId === id && made.facts.etag === etag) return etag
      throw thrown
    }
    await admit(await weigh(uploads, id, parts))
    const { contentType, meta } = upload.facts
    await disk.write(
      joined(uploads, id, parts),
      () => ({ etag, contentType, meta, modifiedMs: nowMs, uploadId: id }),
      // An abort while joining has won: the folder is gone, and the object stays as it was.
      async (temp) => {
        if (!(await uploads.part(id, parts[0]?.number ?? 0))) throw noSuchUpload()
        await disk.place(temp, objects.pathOf(key))
      },
    )
    await uploads.discard(id)
    return etag
  })
}
