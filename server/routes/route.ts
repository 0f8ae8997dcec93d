import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import type { Call } from '#shared/api/call'
import { AppError } from '#shared/errors/app-error'

/** How many times in how many seconds. */
type Rate = readonly [max: number, seconds: number]

interface Handling<Body extends z.ZodMiniType, Reply extends z.ZodMiniType> {
  /** For those who have a session, where it differs: how often they may ask. */
  readonly knownRate?: Rate
  readonly rate: Rate
  /** How often one address may ask, whoever asks: a new session brings no new tries. */
  readonly addressRates?: readonly Rate[]
  /** See the route's setting of this name. */
  readonly hasOwnProof?: true
  readonly handle: (request: FastifyRequest, body: z.output<Body>, reply: FastifyReply) => Promise<z.input<Reply>>
}

const failure = z.object({ code: z.string(), data: z.unknown(), ref: z.string() })

/** Serves one call of the API: its body is checked on the way in, its reply on the way out, and wrapped in `{data}`. */
export function serve<Body extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  app: FastifyInstance,
  call: Call<Body, Reply>,
  { rate, knownRate = rate, addressRates = [], hasOwnProof, handle }: Handling<Body, Reply>,
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
    preHandler: addressRates.map((addressRate) => limitAddress(app, addressRate)),
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

function limitAddress(app: FastifyInstance, [max, seconds]: Rate): (request: FastifyRequest) => Promise<void> {
  const limit = app.createRateLimit({ max, timeWindow: seconds * 1000, keyGenerator: ({ ip }) => normalizeIP(ip) })
  return async (request) => {
    const result = await limit(request)
    if (!result.isAllowed && result.isExceeded) throw new AppError('rate.limited', { seconds: Math.max(1, result.ttlInSeconds) })
  }
}
