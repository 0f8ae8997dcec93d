import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import type { Call } from '#shared/api/call'

/** How many times in how many seconds. */
type Rate = readonly [max: number, seconds: number]

interface Handling<Body extends z.ZodMiniType, Reply extends z.ZodMiniType> {
  /** For those who have a session, where it differs: how often they may ask. */
  readonly knownRate?: Rate
  readonly rate: Rate
  /** What else may refuse a call before it is handled. */
  readonly guards?: readonly ((request: FastifyRequest) => Promise<void>)[]
  /** See the route's setting of this name. */
  readonly hasOwnProof?: true
  readonly handle: (request: FastifyRequest, body: z.output<Body>, reply: FastifyReply) => Promise<z.input<Reply>>
}

const failure = z.object({ code: z.string(), data: z.unknown(), ref: z.string() })

/** Serves one call of the API: its body is checked on the way in, its reply on the way out, and wrapped in `{data}`. */
export function serve<Body extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  app: FastifyInstance,
  call: Call<Body, Reply>,
  { rate, knownRate = rate, guards = [], hasOwnProof, handle }: Handling<Body, Reply>,
): void {
  const rateOf = ({ caller }: FastifyRequest): Rate => (caller ? knownRate : rate)
  const hasBody = call.method === 'POST'
  app.route({
    method: call.method,
    url: `/api${call.path}`,
    schema: {
      ...(hasBody && { body: call.body }),
      response: { 200: z.object({ data: call.reply }), '4xx': failure, '5xx': failure },
    },
    preHandler: [...guards],
    config: {
      rateLimit: { max: (request) => rateOf(request)[0], timeWindow: (request) => rateOf(request)[1] * 1000 },
      ...(hasOwnProof && { hasOwnProof }),
    },
    handler: async (request, reply) => ({
      // Checked by the schema of this very route.
      data: await handle(request, request.body as z.output<Body>, reply),
    }),
  })
}
