import type { Call } from './call.ts'
import { deleteObject, deleteObjects, getObject, headObject, listObjects, putObject } from './object-operations.ts'
import { OssError } from './oss-error.ts'
import type { Target } from './target.ts'
import { abortUpload, beginUpload, finishUpload, listParts, listUploads, uploadPart } from './upload-operations.ts'

/** One thing the endpoint does: where it is found, and whether temporary keys may do it. */
export interface Operation {
  readonly method: string
  readonly on: 'object' | 'bucket'
  /** The query parameter that tells it from others of its method. */
  readonly sign?: string
  /** Further parameters it knows; any other is refused rather than passed over. */
  readonly takes?: readonly string[]
  readonly isForTemporaryKeys?: true
  readonly run: (call: Call) => Promise<void>
}

const forUploading = { isForTemporaryKeys: true } as const
const answerHeaders = ['type', 'language', 'disposition', 'encoding'].map((name) => `response-content-${name}`)

/** Those with a sign stand before the one without. */
const operations: readonly Operation[] = [
  { method: 'PUT', on: 'object', sign: 'uploadId', takes: ['partNumber'], ...forUploading, run: uploadPart },
  { method: 'PUT', on: 'object', ...forUploading, run: putObject },
  { method: 'POST', on: 'object', sign: 'uploads', ...forUploading, run: beginUpload },
  { method: 'POST', on: 'object', sign: 'uploadId', ...forUploading, run: finishUpload },
  { method: 'GET', on: 'object', sign: 'uploadId', takes: ['max-parts', 'part-number-marker'], run: listParts },
  { method: 'GET', on: 'object', takes: [...answerHeaders, 'response-cache-control', 'response-expires'], run: getObject },
  { method: 'HEAD', on: 'object', run: headObject },
  { method: 'DELETE', on: 'object', sign: 'uploadId', ...forUploading, run: abortUpload },
  { method: 'DELETE', on: 'object', run: deleteObject },
  { method: 'POST', on: 'bucket', sign: 'delete', run: deleteObjects },
  {
    method: 'GET',
    on: 'bucket',
    sign: 'uploads',
    takes: ['prefix', 'max-uploads', 'key-marker', 'upload-id-marker'],
    run: listUploads,
  },
  { method: 'GET', on: 'bucket', sign: 'list-type', takes: ['prefix', 'max-keys', 'continuation-token', 'start-after'], run: listObjects },
]

const signing = /^x-oss-(signature|signature-version|credential|date|expires|security-token|additional-headers)$/
const knownHeader = /^x-oss-(date|content-sha256|security-token|user-agent|range-behavior|meta-.+)$/

/** The operation a request asks for. Throws OssError for what the endpoint does not do, so that nothing asked is silently left out. */
export function operationOf(method: string, { key, query }: Target, headerNames: readonly string[]): Operation {
  const ofMethod = operations.filter((one) => one.method === method && one.on === (key === '' ? 'bucket' : 'object'))
  if (ofMethod.length === 0) throw new OssError('MethodNotAllowed', 'The specified method is not allowed against this resource.')
  const operation = ofMethod.find(({ sign }) => sign === undefined || query.has(sign))
  const known = new Set([operation?.sign, ...(operation?.takes ?? [])])
  const parameter = [...query.keys()].find((name) => !known.has(name) && !signing.test(name))
  const header = headerNames.find((name) => name.startsWith('x-oss-') && !knownHeader.test(name))
  if (!operation || parameter !== undefined || header !== undefined)
    throw new OssError('NotImplemented', 'A parameter or header you provided asks for what is not implemented here.')
  return operation
}
