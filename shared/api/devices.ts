import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** A computer a member is signed in on, as the member sees it. */
export const deviceView = z.object({
  deviceId: z.string(),
  name: z.string(),
  kind: z.enum(['web', 'desktop']),
  lastSeen: z.string(),
  current: z.boolean(),
})

/** A computer a member is signed in on. */
export type DeviceView = z.infer<typeof deviceView>

/** The computers the caller's membership is signed in on. */
export const listDevices = defineCall({ method: 'GET', path: '/devices', body: z.undefined(), reply: z.array(deviceView) })

/** Signs one of the caller's computers out. Fails with `device.swaps`. */
export const releaseDevice = defineCall({
  method: 'POST',
  path: '/devices/release',
  body: z.object({ deviceId: z.string().check(z.maxLength(40)) }),
  reply: z.object({}),
})

/** A ticket with which another program on the same computer, within a minute, counts as the same computer. */
export const shareDevice = defineCall({
  method: 'POST',
  path: '/devices/ticket',
  body: z.unknown(),
  reply: z.object({ ticket: z.string() }),
})

/** Makes the caller's program part of the computer a ticket was issued on. Fails with `ticket.over`. */
export const joinDevice = defineCall({
  method: 'POST',
  path: '/devices/join',
  body: z.object({ ticket: z.string().check(z.maxLength(100)) }),
  reply: z.object({}),
})
