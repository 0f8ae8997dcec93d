/** A statement of Aliyun's access control (RAM). */
export interface Statement {
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

export interface Policy {
  readonly Version: '1'
  readonly Statement: readonly Statement[]
}

/** Where uploads and results lie. */
const FOLDERS = ['u/', 'r/'] as const

/** Keys that were overheard on an unencrypted way are worth nothing. */
const overTls = { Bool: { 'acs:SecureTransport': ['true'] } } as const

const objects = (bucket: string, ...prefixes: readonly string[]): string[] => prefixes.map((prefix) => `acs:oss:*:*:${bucket}/${prefix}*`)

/** What a browser may do below a prefix: store, whole or in parts, and break that off. It reads, lists and removes nothing, not even its own. */
export const uploadPolicy = (bucket: string, prefix: string): Policy => ({
  Version: '1',
  Statement: [
    {
      Effect: 'Allow',
      Action: ['oss:PutObject', 'oss:AbortMultipartUpload'],
      Resource: objects(bucket, prefix),
      Condition: overTls,
    },
  ],
})

/** What the server's own key needs, and no more: every call of `OssStore`, and temporary keys of one role. */
export const serverPolicy = (bucket: string, roleArn: string): Policy => ({
  Version: '1',
  Statement: [
    {
      Effect: 'Allow',
      Action: ['oss:GetObject', 'oss:DeleteObject', 'oss:AbortMultipartUpload', 'oss:ListParts'],
      Resource: objects(bucket, ...FOLDERS),
    },
    { Effect: 'Allow', Action: ['oss:PutObject'], Resource: objects(bucket, 'r/') },
    {
      Effect: 'Allow',
      Action: ['oss:ListObjects'],
      Resource: [`acs:oss:*:*:${bucket}`],
      Condition: { StringLike: { 'oss:Prefix': FOLDERS.map((folder) => `${folder}*`) } },
    },
    { Effect: 'Allow', Action: ['oss:ListMultipartUploads'], Resource: [`acs:oss:*:*:${bucket}`] },
    { Effect: 'Allow', Action: ['sts:AssumeRole'], Resource: [roleArn] },
  ],
})
