import OSS from 'ali-oss'
import { AccessKeys } from './local/access-keys.ts'

const LIFE_S = 900

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
}

/** Keys of Aliyun's security token service: a role, narrowed by a policy to uploads below the prefix. */
export const aliyunCredentials = ({ region, bucket, roleArn, sts }: AliyunCredentialsConfig): TemporaryCredentials => ({
  async issue(prefix) {
    requirePrefix(prefix)
    const Action = ['oss:PutObject', 'oss:AbortMultipartUpload', 'oss:ListParts']
    const policy = { Version: '1', Statement: [{ Effect: 'Allow', Action, Resource: [`acs:oss:*:*:${bucket}/${prefix}*`] }] }
    const { credentials } = await sts.assumeRole(roleArn, policy, LIFE_S, 'qingtu-upload')
    const { AccessKeyId, AccessKeySecret, SecurityToken, Expiration } = credentials
    const endpoint = `https://${region}.aliyuncs.com`
    return { AccessKeyId, AccessKeySecret, SecurityToken, Expiration, region, bucket, endpoint, sldEnable: false }
  },
})
