import type { FastifyRequest } from 'fastify'
import { lastChange } from '#shared/api/job-headers'

/** The number of the last change a reader has seen, as a request says it. */
export const afterOf = ({ headers, query }: FastifyRequest): number | undefined =>
  lastChange(headers['last-event-id'], typeof query === 'object' && query !== null && 'after' in query ? query.after : undefined)
