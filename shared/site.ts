import { z } from 'zod/mini'

const fact = z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))
const https = z.optional(z.url({ protocol: /^https$/ }))

/**
 * Who runs the site and how they are reached: facts only the operator knows. What is not set is shown as 待配置, and a production
 * server does not start without it.
 */
export const siteFacts = z.strictObject({
  company: fact,
  /** The number of the business licence. */
  licence: fact,
  /** Of the site: the ICP number, and the public security one. */
  icp: fact,
  policeNumber: fact,
  copyright: fact,
  /** The same for visits by the partner. */
  partnerCopyright: fact,
  partnerIcp: fact,
  /** A phone number or address people reach support by, and a name in a messaging app. */
  contact: fact,
  messagingContact: fact,
  /** Address of the picture of the support's QR code: on this site, or over https. */
  serviceQr: z.optional(z.union([z.string().check(z.regex(/^\/[\w./-]{1,200}$/)), z.url({ protocol: /^https$/ })])),
  installer: z.optional(
    z.strictObject({
      url: z.url({ protocol: /^https$/ }),
      sha256: z.string().check(z.regex(/^[\da-f]{64}$/i)),
      bytes: z.number().check(z.positive()),
    }),
  ),
  /** Where the image host of avatars and such may be, besides WeChat's. */
  imageHost: https,
})

/** What an operator has told of the site. */
export type SiteFacts = z.infer<typeof siteFacts>

/** Shown where a fact is not set. */
export const UNSET = '待配置'
