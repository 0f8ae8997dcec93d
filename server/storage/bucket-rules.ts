import { serverPolicy, uploadPolicy } from './policies.ts'
import { toXml, type Field } from './local/xml.ts'

/** Whose bucket it is, and who uses it. */
export interface BucketUse {
  readonly bucket: string
  /** `acs:ram::1234567890:role/name` */
  readonly roleArn: string
  /** The RAM user whose key the server has. */
  readonly user: string
  /** The site's, as browsers say it. */
  readonly origin: string
}

/** A rule to paste in Aliyun's console, and where. */
export interface BucketRule {
  readonly id: 'server' | 'trust' | 'role' | 'lifecycle' | 'cors'
  readonly title: string
  readonly text: string
}

/** What the page's uploads do and bring, as ali-oss in a browser makes them. */
const METHODS = ['PUT', 'POST', 'DELETE'] as const
const HEADERS = [
  'authorization',
  'content-md5',
  'content-type',
  'x-oss-content-sha256',
  'x-oss-date',
  'x-oss-security-token',
  'x-oss-user-agent',
] as const

const json = (value: unknown): string => JSON.stringify(value, undefined, 2)

const lifecycleRule = (name: string): Field => [
  'Rule',
  [
    ['ID', `qingtu-${name}`],
    ['Prefix', `${name}/`],
    ['Status', 'Enabled'],
    ['Expiration', [['Days', 1]]],
    ['AbortMultipartUpload', [['Days', 1]]],
  ],
]

/** Everything a bucket has to be told before it serves a site: least privilege for both keys, an end to what is left over, and one origin. */
export function bucketRules({ bucket, roleArn, user, origin }: BucketUse): readonly BucketRule[] {
  const [, account = ''] = /^acs:ram::(\d+):role\//.exec(roleArn) ?? []
  const trust = {
    Version: '1',
    Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { RAM: [`acs:ram::${account}:user/${user}`] } }],
  }
  const cors: Field[] = [
    ['AllowedOrigin', origin],
    ...METHODS.map((method): Field => ['AllowedMethod', method]),
    ...HEADERS.map((header): Field => ['AllowedHeader', header]),
    ['ExposeHeader', 'ETag'],
    ['ExposeHeader', 'x-oss-request-id'],
    ['MaxAgeSeconds', 3600],
  ]
  return [
    {
      id: 'server',
      title: `RAM 用户 ${user}（服务器的 AccessKey）的权限策略：访问控制 RAM → 权限策略 → 脚本编辑`,
      text: json(serverPolicy(bucket, roleArn)),
    },
    { id: 'trust', title: `RAM 角色 ${roleArn} 的信任策略：访问控制 RAM → 角色 → 信任策略`, text: json(trust) },
    { id: 'role', title: `RAM 角色 ${roleArn} 的权限策略（服务器再按用户收窄到各自的目录）`, text: json(uploadPolicy(bucket, 'u/')) },
    {
      id: 'lifecycle',
      title: `存储空间 ${bucket} 的生命周期：PutBucketLifecycle，或 数据管理 → 生命周期。文件由服务器两小时删除，这里只兜底`,
      text: toXml('LifecycleConfiguration', [lifecycleRule('u'), lifecycleRule('r')]),
    },
    {
      id: 'cors',
      title: `存储空间 ${bucket} 的跨域规则：PutBucketCors，或 数据安全 → 跨域设置。只允许 ${origin}`,
      text: toXml('CORSConfiguration', [['CORSRule', cors]]),
    },
  ]
}
