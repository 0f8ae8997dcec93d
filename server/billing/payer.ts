import { normalizeIP } from '@fastify/rate-limit'
import { sign, type Secrets } from '../secrets.ts'

/** Who pays for jobs; a guest's allowance is counted by computer and by address. */
export interface Payer {
  readonly identityId: string
  readonly deviceId: string
  /** An HMAC of the network's address: who it was is nobody's business. */
  readonly address: string
}

/** The payer of a call that came from an address. A customer's IPv6 network is one address. */
export const payerOf = ({ identityId, deviceId }: Pick<Payer, 'identityId' | 'deviceId'>, ip: string, secrets: Secrets): Payer => ({
  identityId,
  deviceId,
  address: sign(secrets.key('address'), normalizeIP(ip)),
})
