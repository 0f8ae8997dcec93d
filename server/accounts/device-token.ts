import { isSame, randomText, sign } from '../secrets.ts'

/** A computer's name for itself, signed: nobody can pretend to be a computer whose token he has not. */
export const deviceToken = (key: Buffer, deviceId: string): string => `${deviceId}.${sign(key, deviceId)}`

/** The computer a token was signed for; a token of another making is as good as none. */
export function readDeviceToken(key: Buffer, token: string | undefined): string | undefined {
  const [deviceId, signature] = token?.split('.') ?? []
  return deviceId && signature && isSame(signature, sign(key, deviceId)) ? deviceId : undefined
}

export const newDeviceId = (): string => randomText(20)
