import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseStopped, isUnanswered } from './database/connection.ts'
import type { Counts } from './metrics/counted.ts'
import { randomText } from './secrets.ts'
import { AppError, toWire } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'

/** Fastify's own refusals, as ours; what is not here and below 500 is a malformed request. */
const refusals: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('request.too-large', {}),
  FST_ERR_NOT_FOUND: () => new AppError('address.unknown', {}),
}

/** The database is away; or (25P03, 40P01, 40001, 55P03) calls stood in each other's way, and one of them is to come again. */
const UNREACHABLE = new Set(
  'ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENOENT 57P01 57P02 57P03 57014 53100 53200 53300 25P03 40P01 40001 55P03'.split(
    ' ',
  ),
)

/** SQLSTATEs of text the database can't hold (a NUL, half a character) or numbers it can't: the caller sent them. */
const UNSTORABLE = new Set(['22021', '22P05', '22P02', '22003'])

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

/** The driver's own words for that, which have no code. */
const UNCONNECTED = /timeout expired|timeout exceeded when trying to connect|Connection terminated|is not queryable/

/** Whether the database could not answer now; drizzle wraps what the driver threw, save where a transaction finds no connection to begin on. */
export const isUnreachable = (thrown: unknown): boolean =>
  [thrown, causeOf(thrown)].some(
    (error) =>
      error instanceof DatabaseStopped ||
      isUnanswered(error) ||
      UNREACHABLE.has(codeOf(error) ?? '') ||
      (error instanceof Error && UNCONNECTED.test(error.message)),
  )

/** What a caller may know of anything thrown. */
function publicError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const known = refusals[codeOf(thrown) ?? '']
  if (known) return known()
  const status = typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? Number(thrown.statusCode) : 500
  const isMalformed = (status >= 400 && status < 500) || UNSTORABLE.has(codeOf(causeOf(thrown)) ?? '')
  if (isMalformed) return new AppError('request.invalid', {}, { cause: thrown })
  return isUnreachable(thrown)
    ? new AppError('service.unavailable', {}, { cause: thrown })
    : new AppError('internal', {}, { cause: thrown })
}

/** What people tell support of a failure: the log has it beside what happened. */
export const newRef = (): string => randomText(8)

/** Answers failures in one way, and counts them. */
export const errorAnswerer =
  (counts: Pick<Counts, 'requestsRefused' | 'rateLimited'>) =>
  (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = publicError(thrown)
    const route = request.routeOptions.url ?? 'none'
    counts.requestsRefused.inc({ code: error.code })
    if (error.code === 'rate.limited') counts.rateLimited.inc({ route })
    return answerError(error, request, reply)
  }

/** Answers with the envelope `{code, data, ref}`; the message, the stack and the cause stay in the log, under the same ref. */
function answerError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = errorTexts[error.code]
  const ref = newRef()
  // The route's pattern, never the address: queries and tickets are credentials.
  const told = { ref, failure: error.code, method: request.method, route: request.routeOptions.url ?? 'none' }
  if (status >= 500) request.log.error({ err: error.cause ?? error, ...told }, 'request failed')
  else request.log.info(told, 'request refused')
  if (error.code === 'rate.limited' && 'seconds' in error.data) void reply.header('retry-after', String(error.data.seconds))
  if (status === 503 || error.code === 'job.busy') void reply.header('retry-after', '5')
  // Of another type when a route had set one before it failed.
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ...toWire(error), ref }))
}
