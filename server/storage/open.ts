import OSS from 'ali-oss'
import { aliyunCredentials, localCredentials, type TemporaryCredentials } from './credentials.ts'
import { AccessKeys } from './local/access-keys.ts'
import type { Limits } from './local/call.ts'
import { FREE_SHARE, measureSpace } from './local/disk.ts'
import { openEndpoint, type Handle } from './local/endpoint.ts'
import type { ObjectStore } from './object-store.ts'
import { OssStore } from './oss-store.ts'

const STALL_MS = 30_000
const STS_MS = 5_000
/** The production bucket's name and region, so that keys, policies and links look the same on both sides. */
const BUCKET = '20230612test'
const REGION = 'oss-cn-shanghai'

/** A bucket in a folder of this machine, served by this process. */
export interface LocalStorageConfig extends Partial<Omit<Limits, 'maxUploadBytes'>> {
  readonly folder: string
  /** The server's secret; the access keys derive from it. */
  readonly secretKey: Buffer
  readonly bucket?: string
  readonly region?: string
  /** Where browsers reach the server. Asked for once it listens. */
  readonly endpoint: () => string
  /** Where this process reaches itself, by name: ali-oss treats addresses apart. The same as `endpoint` unless said. */
  readonly ownEndpoint?: () => string
  readonly maxUploadBytes: number
  /** Sites besides our own that may upload from a browser; none unless said. */
  readonly origins?: readonly string[]
  /** Hears of faults of the endpoint. */
  readonly report?: (cause: unknown) => void
}

/** A bucket that another process serves from a folder. */
export interface RemoteStorageConfig {
  /** Where this process reaches it. */
  readonly url: string
  /** The same as that process has. */
  readonly secretKey: Buffer
  /** Where browsers reach it, if elsewhere. */
  readonly publicUrl: string | undefined
}

/** A bucket of Aliyun's. */
export interface AliyunStorageConfig {
  /** Where this server reaches it, if elsewhere than browsers do. */
  readonly endpoint?: string
  readonly region: string
  readonly bucket: string
  readonly roleArn: string
  readonly accessKeyId: string
  readonly accessKeySecret: string
}

export interface Storage {
  readonly store: ObjectStore
  readonly credentials: TemporaryCredentials
  /** The local endpoint: answers requests for the bucket and returns false for all others. Absent with Aliyun. */
  readonly handle?: Handle
}

export async function openStorage(config: LocalStorageConfig | RemoteStorageConfig | AliyunStorageConfig): Promise<Storage> {
  if ('folder' in config) return openLocal(config)
  return 'url' in config ? openRemote(config) : openAliyun(config)
}

function openRemote({ url, secretKey, publicUrl = url }: RemoteStorageConfig): Storage {
  const keys = new AccessKeys(secretKey)
  const { accessKeyId, accessKeySecret } = keys
  const place = { region: REGION, bucket: BUCKET }
  return {
    store: new OssStore(() => ({ ...place, accessKeyId, accessKeySecret, endpoint: url, sldEnable: true })),
    credentials: localCredentials({ keys, ...place, endpoint: () => publicUrl, now: Date.now }),
  }
}

async function openLocal(config: LocalStorageConfig): Promise<Storage> {
  const { folder, bucket = BUCKET, region = REGION, endpoint, ownEndpoint = endpoint, origins = [], now = Date.now } = config
  const keys = new AccessKeys(config.secretKey)
  const { accessKeyId, accessKeySecret } = keys
  const limits: Limits = {
    maxUploadBytes: config.maxUploadBytes,
    freeShare: config.freeShare ?? FREE_SHARE,
    stallMs: config.stallMs ?? STALL_MS,
    mayStore: config.mayStore ?? (() => true),
    measureSpace: config.measureSpace ?? measureSpace,
    now,
  }
  return {
    handle: await openEndpoint({ folder, keys, bucket, region, limits, origins, report: config.report ?? (() => {}) }),
    store: new OssStore(() => ({ region, bucket, accessKeyId, accessKeySecret, endpoint: ownEndpoint(), sldEnable: true })),
    credentials: localCredentials({ keys, region, bucket, endpoint, now }),
  }
}

function openAliyun({ region, bucket, roleArn, accessKeyId, accessKeySecret, endpoint }: AliyunStorageConfig): Storage {
  // Its types know of the keys only.
  const service = { accessKeyId, accessKeySecret, endpoint: `https://sts.${region.replace(/^oss-/, '')}.aliyuncs.com`, timeout: STS_MS }
  const sts = new OSS.STS(service)
  return {
    store: new OssStore(() => ({ region, bucket, accessKeyId, accessKeySecret, secure: true, ...(endpoint && { endpoint }) })),
    credentials: aliyunCredentials({ region, bucket, roleArn, sts, now: Date.now }),
  }
}
