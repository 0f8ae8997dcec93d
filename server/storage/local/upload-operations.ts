import { admit, document, factsOf, mostBytes, numberIn, reply, replyXml, requireRoom, type Call } from './call.ts'
import { completeUpload, MOST_PARTS, parseParts } from './complete-upload.ts'
import { isoSeconds } from './object-operations.ts'
import { OssError } from './oss-error.ts'
import type { Field } from './xml.ts'

const MOST_LISTED = 1000

const uploadId = ({ target }: Call): string => target.query.get('uploadId') ?? ''

export async function beginUpload(call: Call): Promise<void> {
  const { limits, target, uploads } = call
  await requireRoom(call, 0)
  if (!(await limits.mayStore(target.key, 0))) throw new OssError('QuotaExceeded', 'There is no room left for you.')
  const id = await uploads.begin({ ...factsOf(call, { md5: Buffer.alloc(0) }), key: target.key })
  replyXml(call, 'InitiateMultipartUploadResult', [
    ['Bucket', target.bucket],
    ['Key', target.key],
    ['UploadId', id],
  ])
}

export async function uploadPart(call: Call): Promise<void> {
  const { uploads, target } = call
  const number = numberIn(call, 'partNumber', 1, MOST_PARTS)
  const { id } = await uploads.find(uploadId(call), target.key)
  const body = await admit(call, (bytes) => uploads.reserve(id, number, bytes, mostBytes(call)))
  const { etag } = await uploads.storePart(id, number, body.chunks(), () => ({ ...factsOf(call, body.finish()), meta: {} }))
  reply(call, 200, { etag: `"${etag}"` })
}

export async function listParts(call: Call): Promise<void> {
  const { uploads, target } = call
  const { id } = await uploads.find(uploadId(call), target.key)
  const after = numberIn(call, 'part-number-marker', 0, MOST_PARTS, 0)
  const most = numberIn(call, 'max-parts', 1, MOST_LISTED, MOST_LISTED)
  const rest = (await uploads.parts(id)).filter(({ number }) => number > after)
  const parts = rest.slice(0, most)
  replyXml(call, 'ListPartsResult', [
    ['Bucket', target.bucket],
    ['Key', target.key],
    ['UploadId', id],
    ['PartNumberMarker', after],
    ['NextPartNumberMarker', parts.at(-1)?.number ?? after],
    ['MaxParts', most],
    ['IsTruncated', rest.length > parts.length],
    ...parts.map(({ number, facts, bytes }): Field => [
      'Part',
      [
        ['PartNumber', number],
        ['LastModified', isoSeconds(facts.modifiedMs)],
        ['ETag', `"${facts.etag}"`],
        ['Size', bytes],
      ],
    ]),
  ])
}

export async function listUploads(call: Call): Promise<void> {
  const { uploads, target } = call
  const [prefix, keyMarker, idMarker] = ['prefix', 'key-marker', 'upload-id-marker'].map((name) => target.query.get(name) ?? '')
  const most = numberIn(call, 'max-uploads', 1, MOST_LISTED, MOST_LISTED)
  // Without an id, a marker stands behind all uploads of its key.
  const after = `${keyMarker}\0${idMarker || '\uffff'}`
  const all = await uploads.all(prefix ?? '')
  const rest = keyMarker ? all.filter(({ key, id }) => `${key}\0${id}` > after) : all
  const listed = rest.slice(0, most)
  const last = listed.at(-1)
  replyXml(call, 'ListMultipartUploadsResult', [
    ['Bucket', target.bucket],
    ['Prefix', prefix ?? ''],
    ['MaxUploads', most],
    ['IsTruncated', rest.length > listed.length],
    ['NextKeyMarker', last?.key ?? ''],
    ['NextUploadIdMarker', last?.id ?? ''],
    ...listed.map(({ key, id, facts }): Field => [
      'Upload',
      [
        ['Key', key],
        ['UploadId', id],
        ['StorageClass', 'Standard'],
        ['Initiated', isoSeconds(facts.modifiedMs)],
      ],
    ]),
  ])
}

export async function abortUpload(call: Call): Promise<void> {
  const { id } = await call.uploads.find(uploadId(call), call.target.key)
  await call.uploads.discard(id)
  reply(call, 204)
}

export async function finishUpload(call: Call): Promise<void> {
  const { target, limits } = call
  const parts = parseParts(await document(call))
  const wanted = { id: uploadId(call), key: target.key, parts, nowMs: limits.now() }
  const etag = await completeUpload(call, wanted, (bytes) => requireRoom(call, bytes))
  const fields: Field[] = [
    ['Bucket', target.bucket],
    ['Key', target.key],
    ['ETag', `"${etag}"`],
  ]
  replyXml(call, 'CompleteMultipartUploadResult', fields, { etag: `"${etag}"` })
}
