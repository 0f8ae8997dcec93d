import { toXml } from './xml.ts'
import { codeOf } from '#engine/failures'

/** What OSS calls each refusal, and its HTTP status; `QuotaExceeded` and `StorageFull` are this endpoint's own. */
const statuses = {
  AccessDenied: 403,
  AccessForbidden: 403,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidObjectName: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidSecurityToken: 403,
  InvalidURI: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 400,
  QuotaExceeded: 403,
  RequestTimeTooSkewed: 403,
  SecurityTokenExpired: 403,
  SignatureDoesNotMatch: 403,
  StorageFull: 507,
} as const

export type OssCode = keyof typeof statuses

/** A refusal as OSS words it. The message reaches the caller, so it holds nothing of this machine. */
export class OssError extends Error {
  readonly code: OssCode
  readonly status: number

  constructor(code: OssCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OssError'
    this.code = code
    this.status = statuses[code]
  }

  toXml(requestId: string, host: string): string {
    return toXml('Error', [
      ['Code', this.code],
      ['Message', this.message],
      ['RequestId', requestId],
      ['HostId', host],
    ])
  }
}

export const isMissing = (thrown: unknown): boolean => codeOf(thrown) === 'ENOENT' || codeOf(thrown) === 'ENOTDIR'

/** The refusal anything thrown stands for; what is neither a refusal nor a full disk is a fault of ours. */
export function toOssError(thrown: unknown): OssError {
  if (thrown instanceof OssError) return thrown
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].some((code) => code === codeOf(thrown))
  if (isFull) return new OssError('StorageFull', 'There is no space left for this object.', { cause: thrown })
  return new OssError('InternalError', 'Please try again.', { cause: thrown })
}
