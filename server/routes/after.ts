import type { FastifyRequest } from 'fastify'

/** The number of the last change a reader has seen; what is no such number counts as none seen. Undefined where nothing is said. */
export function afterOf({ headers, query }: FastifyRequest): number | undefined {
  const asked = typeof query === 'object' && query !== null && 'after' in query ? query.after : undefined
  // The header is the later of the two: a browser that reconnects by itself repeats the address of the beginning.
  const given = headers['last-event-id'] ?? asked
  if (given === undefined) return undefined
  const after = Number(given)
  return Number.isSafeInteger(after) && after > 0 ? after : 0
}
