import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { siteFacts } from '#shared/site'

/** What the page shows of this site, and how people can pay and sign in here. */
export const readSite = defineCall({
  method: 'GET',
  path: '/site',
  body: z.undefined(),
  reply: z.object({
    facts: siteFacts,
    /** Payments are pretended: nobody pays anything. */
    isSandbox: z.boolean(),
    /** Whether anything can be bought here. */
    hasPayments: z.boolean(),
    hasWechatLogin: z.boolean(),
    /** What a guest may do a day for nothing. */
    free: z.object({ image: z.number(), ai: z.number(), document: z.number() }),
  }),
})
