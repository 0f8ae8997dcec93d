import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000
const ISSUER = '轻图'

/** A new secret for one-time passwords (RFC 6238), in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** The address by which an authenticator app takes the secret. */
export const uriOf = (name: string, secret: string): string => new TOTP({ issuer: ISSUER, label: name, secret }).toString()

/** The step a one-time password belongs to: the present one or its neighbours, for clocks differ. Undefined where it belongs to none. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = new TOTP({ secret }).validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta
}
