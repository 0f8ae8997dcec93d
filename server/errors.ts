import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseStopped } from './database/connection.ts'
import { randomText } from './secrets.ts'
import { AppError, toWire } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'

/** Fastify's own refusals, as ours; what is not here and below 500 is a malformed request. */
const refusals: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('request.too-large', {}),
  FST_ERR_NOT_FOUND: () => new AppError('address.unknown', {}),
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', '57P01', '57P02', '57P03', '53300'])

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Whether the database could not be reached; drizzle wraps what the driver threw. */
const isUnreachable = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  if (error instanceof DatabaseStopped || cause instanceof DatabaseStopped) return true
  return (
    UNREACHABLE.has(codeOf(error) ?? '') ||
    UNREACHABLE.has(codeOf(cause) ?? '') ||
    /timeout exceeded when trying to connect/.test(String(cause))
  )
}

/** What a caller may know of anything thrown. */
function publicError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const known = refusals[codeOf(thrown) ?? '']
  if (known) return known()
  const status = typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? Number(thrown.statusCode) : 500
  if (status >= 400 && status < 500) return new AppError('request.invalid', {}, { cause: thrown })
  return isUnreachable(thrown)
    ? new AppError('service.unavailable', {}, { cause: thrown })
    : new AppError('internal', {}, { cause: thrown })
}

/** Answers with the envelope `{code, data, ref}`; the message, the stack and the cause stay in the log, under the same ref. */
export function answerError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = publicError(thrown)
  const { status } = errorTexts[error.code]
  const ref = randomText(8)
  if (status >= 500) request.log.error({ err: error.cause ?? error, ref, code: error.code }, 'request failed')
  else request.log.info({ ref, code: error.code }, 'request refused')
  if (status === 503 || error.code === 'job.busy') void reply.header('retry-after', '5')
  // Of another type when a route had set one before it failed.
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ...toWire(error), ref }))
}
