import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'

/** An address, or a network as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits))
}

/** Every variable of the environment, with what `npm start -- --help` says of it. */
const variables = {
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('监听端口，默认 8080'),
  HOST: z.string().min(1).default('127.0.0.1').describe('监听地址，默认 127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('用户访问的网址，默认 http://localhost:端口'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((networks) => networks.every(isNetwork))
    .optional()
    .describe('前置代理的地址或网段，逗号分隔，其 X-Forwarded-For 可信；设了 PUBLIC_URL 时默认为本机'),
  DATA_DIR: z.string().min(1).default('.data').describe('数据目录，默认 .data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL 地址；不填则使用内置数据库'),
  SECRET_KEY: z.string().min(32).optional().describe('至少 32 个字符的密钥；不填则生成并保存在数据目录'),
  WORKERS: z.coerce.number().int().min(1).max(256).optional().describe('同时处理的任务数，默认等于 CPU 核数'),
  OSS_REGION: z.string().optional().describe('阿里云 OSS 地域，如 oss-cn-shanghai（以下 5 项须同时填写）'),
  OSS_BUCKET: z.string().optional().describe('阿里云 OSS 存储空间'),
  OSS_ROLE_ARN: z.string().optional().describe('上传临时凭证所用的 RAM 角色'),
  OSS_ACCESS_KEY_ID: z.string().optional().describe('阿里云 AccessKey ID'),
  OSS_ACCESS_KEY_SECRET: z.string().optional().describe('阿里云 AccessKey Secret'),
  PARTNER_MARKER: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .describe('合作方标记：网址带 from=标记 时记为合作方来源并更换页脚'),
  METRICS_TOKEN: z.string().min(16).optional().describe('从其他机器读取 /metrics 所需的令牌，至少 16 个字符'),
  API_DOCS: z.enum(['on', 'off']).optional().describe('是否提供 /api/docs，默认仅在本机网址时提供'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .optional()
    .describe('日志级别，默认本机试用时为 warn，设了 PUBLIC_URL 则为 info'),
}

const groups = [['OSS_REGION', 'OSS_BUCKET', 'OSS_ROLE_ARN', 'OSS_ACCESS_KEY_ID', 'OSS_ACCESS_KEY_SECRET']] as const

/** A configuration that can't be used; the message is for the person who starts the server. */
export class ConfigError extends Error {}

export type Config = ReturnType<typeof parseConfig>

/** Reads the environment once. Empty variables count as absent. Throws ConfigError naming what is wrong or missing. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => Object.hasOwn(variables, name) && value !== ''))
  const parsed = z.object(variables).safeParse(given)
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))]
    throw new ConfigError(`环境变量填写有误：${names.map((name) => `${name}（${describe(name)}）`).join('；')}`)
  }
  for (const group of groups) {
    const missing = group.filter((name) => given[name] === undefined)
    if (missing.length > 0 && missing.length < group.length) throw new ConfigError(`还缺少环境变量：${missing.join('、')}`)
  }
  const values = parsed.data
  const { OSS_REGION, OSS_BUCKET, OSS_ROLE_ARN, OSS_ACCESS_KEY_ID, OSS_ACCESS_KEY_SECRET } = values
  const isCloud = OSS_REGION && OSS_BUCKET && OSS_ROLE_ARN && OSS_ACCESS_KEY_ID && OSS_ACCESS_KEY_SECRET
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, ''),
    // Without one there is none: whoever asks could say anything of himself.
    trustedProxies: values.TRUSTED_PROXIES ?? (values.PUBLIC_URL === undefined ? undefined : ['loopback']),
    dataFolder: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    secretKey: values.SECRET_KEY,
    workers: values.WORKERS ?? availableParallelism(),
    cloudStorage: isCloud
      ? {
          region: OSS_REGION,
          bucket: OSS_BUCKET,
          roleArn: OSS_ROLE_ARN,
          accessKeyId: OSS_ACCESS_KEY_ID,
          accessKeySecret: OSS_ACCESS_KEY_SECRET,
        }
      : undefined,
    partnerMarker: values.PARTNER_MARKER ?? '',
    metricsToken: values.METRICS_TOKEN,
    hasDocs: values.API_DOCS === undefined ? values.PUBLIC_URL === undefined : values.API_DOCS === 'on',
    // On a person's own screen only what needs them; where others are served, every request.
    logLevel: values.LOG_LEVEL ?? (values.PUBLIC_URL === undefined ? 'warn' : 'info'),
  }
}

const describe = (name: string): string =>
  Object.hasOwn(variables, name) ? (variables[name as keyof typeof variables].description ?? '') : '' // hasOwn just said so

/** A line a variable, for `--help`. */
export const configHelp = (): string =>
  Object.keys(variables)
    .map((name) => `  ${name.padEnd(22)} ${describe(name)}`)
    .join('\n')
