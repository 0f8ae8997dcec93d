import { createHash } from 'node:crypto'
import type OSS from 'ali-oss'
import { AccessKeys } from './local/access-keys.ts'
import { uploadPolicy } from './policies.ts'
import { AppError } from '#shared/errors/app-error'

const LIFE_S = 900
/** The page works with its keys for ten minutes: that much is left of what is given a second time. */
const SHARED_MS = 4 * 60_000
const MOST_KEPT = 10_000

/** What a browser needs to upload by itself, as ali-oss takes it. */
export interface IssuedCredentials {
  readonly AccessKeyId: string
  readonly AccessKeySecret: string
  readonly SecurityToken: string
  /** An ISO date. */
  readonly Expiration: string
  readonly region: string
  readonly bucket: string
  readonly endpoint: string
  readonly sldEnable: boolean
}

/** Gives out keys that may store objects below a prefix, and nothing else, for 15 minutes. */
export interface TemporaryCredentials {
  issue(prefix: string): Promise<IssuedCredentials>
}

/** A wildcard in a prefix would open the folders of others, and so would one that is not a whole folder. */
function requirePrefix(prefix: string): void {
  if (!/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)+$/.test(prefix)) throw new Error(`not the prefix of a folder: ${prefix}`)
}

export interface LocalCredentialsConfig {
  readonly keys: AccessKeys
  readonly region: string
  readonly bucket: string
  /** Where browsers reach the server. */
  readonly endpoint: () => string
  readonly now: () => number
}

/** Keys for the local endpoint. They are checked by their signature, so none is stored. */
export const localCredentials = ({ keys, region, bucket, endpoint, now }: LocalCredentialsConfig): TemporaryCredentials => ({
  async issue(prefix) {
    requirePrefix(prefix)
    const expiresMs = now() + LIFE_S * 1000
    const { accessKeyId, accessKeySecret, securityToken } = keys.issue(prefix, expiresMs)
    return {
      AccessKeyId: accessKeyId,
      AccessKeySecret: accessKeySecret,
      SecurityToken: securityToken,
      Expiration: new Date(expiresMs).toISOString(),
      region,
      bucket,
      endpoint: endpoint(),
      sldEnable: true,
    }
  },
})

export interface AliyunCredentialsConfig {
  readonly region: string
  readonly bucket: string
  readonly roleArn: string
  readonly sts: Pick<OSS.STS, 'assumeRole'>
  readonly now: () => number
}

/**
 * Keys of Aliyun's security token service: a role, narrowed by a policy to uploads below the prefix. It answers so many calls a second for all
 * of an account: who asks again soon gets the same keys, and who asks at the same time shares the call. Throws `service.unavailable`.
 */
export function aliyunCredentials({ region, bucket, roleArn, sts, now }: AliyunCredentialsConfig): TemporaryCredentials {
  const kept = new Map<string, { readonly askedAt: number; readonly given: Promise<IssuedCredentials> }>()

  async function ask(prefix: string): Promise<IssuedCredentials> {
    // In the records of the account, a person is told from others, and not named.
    const session = `qingtu-${createHash('sha256').update(prefix).digest('hex').slice(0, 32)}`
    try {
      const { credentials } = await sts.assumeRole(roleArn, uploadPolicy(bucket, prefix), LIFE_S, session)
      const { AccessKeyId, AccessKeySecret, SecurityToken, Expiration } = credentials
      const endpoint = `https://${region}.aliyuncs.com`
      return { AccessKeyId, AccessKeySecret, SecurityToken, Expiration, region, bucket, endpoint, sldEnable: false }
    } catch (cause) {
      kept.delete(prefix)
      throw new AppError('service.unavailable', {}, { cause })
    }
  }

  return {
    async issue(prefix) {
      requirePrefix(prefix)
      const known = kept.get(prefix)
      const age = known ? now() - known.askedAt : Infinity
      if (known && age >= 0 && age < SHARED_MS) return known.given
      if (kept.size >= MOST_KEPT) kept.clear()
      const given = ask(prefix)
      kept.set(prefix, { askedAt: now(), given })
      return given
    },
  }
}
