import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** What this server can do and allows now. Sizes in bytes. */
export const listTools = defineCall({
  method: 'GET',
  path: '/tools',
  body: z.undefined(),
  reply: z.object({
    unavailable: z.array(z.string()),
    /** Value of the `from` parameter that marks visits by the partner; empty where there is none. */
    partnerMarker: z.string(),
    /** What is on sale; amounts in yuan. */
    plans: z.array(z.object({ code: z.string(), label: z.string(), amount: z.number() })),
    limits: z.object({
      fileBytes: z.number(),
      storedBytes: z.number(),
      inputsPerCall: z.number(),
      concurrentJobs: z.number(),
      keptMinutes: z.number(),
    }),
  }),
})
