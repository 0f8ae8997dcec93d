import { AppError } from '../errors/app-error.ts'

/**
 * The number of the last change a reader of jobs has seen, from its `Last-Event-ID`, else its `?after=`: the header is the later of the two, since a
 * browser that reconnects by itself repeats the address of the beginning. What is no such number counts as none seen; undefined where nothing
 * is said.
 */
export function lastChange(header: unknown, after: unknown): number | undefined {
  const given = header ?? after ?? undefined
  if (given === undefined) return undefined
  const change = Number(given)
  return Number.isSafeInteger(change) && change > 0 ? change : 0
}

/** The caller's own name for a call, from its `Idempotency-Key`; undefined where it has none: such a call is never taken for another. Throws `request.invalid`. */
export function givenKey(header: unknown): string | undefined {
  if (header === undefined || header === null) return undefined
  if (typeof header !== 'string' || !/^[\w-]{8,100}$/.test(header)) throw new AppError('request.invalid', {})
  return `given-${header}`
}
