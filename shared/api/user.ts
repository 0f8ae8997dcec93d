import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** Gives a visitor without a session a guest identity, and one with a session its own again. */
export const tourist = defineCall({
  method: 'GET',
  path: '/user/tourist',
  body: z.undefined(),
  reply: z.object({ userid: z.string(), username: z.string() }),
})

/** Temporary credentials of the object storage, for uploads under `prefix`; names as the storage client takes them. */
export const storageCredentials = defineCall({
  method: 'POST',
  path: '/sts',
  body: z.unknown(),
  reply: z.object({
    AccessKeyId: z.string(),
    AccessKeySecret: z.string(),
    SecurityToken: z.string(),
    Expiration: z.string(),
    region: z.string(),
    bucket: z.string(),
    endpoint: z.string(),
    sldEnable: z.boolean(),
    prefix: z.string(),
  }),
})
