import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { guestAllowance } from '#shared/membership'

/** An address, or a network as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits))
}

const networks = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((given) => given.every(isNetwork))

/** Every variable of the environment, with what `npm start -- --help` says of it. */
const variables = {
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('监听端口，默认 8080'),
  HOST: z.string().min(1).default('127.0.0.1').describe('监听地址，默认 127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('用户访问的网址，默认 http://localhost:端口'),
  TRUSTED_PROXIES: networks.optional().describe('前置代理的地址或网段，逗号分隔，其 X-Forwarded-For 可信；设了 PUBLIC_URL 时默认为本机'),
  DATA_DIR: z.string().min(1).default('.data').describe('数据目录，默认 .data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL 地址；不填则使用内置数据库'),
  SECRET_KEY: z.string().min(32).optional().describe('至少 32 个字符的密钥；不填则生成并保存在数据目录'),
  WORKERS: z.coerce.number().int().min(1).max(256).optional().describe('同时处理的任务数，默认等于 CPU 核数'),
  MODELS_DIR: z.string().min(1).optional().describe('高清抠图模型所在目录；不填则使用内置模型'),
  AI_WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('同时进行的 AI 任务数，默认等于 WORKERS，但不超过一半内存所能容纳的'),
  // Read where the models run: the children inherit it.
  AI_THREADS: z.coerce.number().int().min(1).max(64).optional().describe('每个 AI 任务使用的线程数，默认 1'),
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
  NODE_ENV: z.string().optional().describe('production 时必须填好站点资料和真实支付，否则拒绝启动'),
  SITE_FILE: z.string().optional().describe('站点资料文件（JSON）：公司、备案号、联系方式、安装包地址等'),
  PAYMENTS: z
    .enum(['sandbox', 'off'])
    .optional()
    .describe('sandbox 沙箱支付，off 不开通支付；不填且未配置真实支付时，本机试用为沙箱，设了 PUBLIC_URL 则不开通'),
  ALIPAY_APP_ID: z.string().optional().describe('支付宝应用 ID（以下 4 项须同时填写；密钥可填内容或文件路径）'),
  ALIPAY_SELLER_ID: z.string().optional().describe('支付宝商户号（2088 开头）'),
  ALIPAY_PRIVATE_KEY: z.string().optional().describe('支付宝应用私钥'),
  ALIPAY_PUBLIC_KEY: z.string().optional().describe('支付宝公钥'),
  WECHAT_APP_ID: z.string().optional().describe('微信支付关联的 AppID（以下 7 项须同时填写；密钥可填内容或文件路径）'),
  WECHAT_MCH_ID: z.string().optional().describe('微信支付商户号'),
  WECHAT_MCH_SERIAL: z.string().optional().describe('微信支付商户证书序列号'),
  WECHAT_MCH_PRIVATE_KEY: z.string().optional().describe('微信支付商户私钥'),
  WECHAT_API_V3_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32}$/)
    .optional()
    .describe('微信支付 APIv3 密钥，32 个字符'),
  WECHAT_PLATFORM_SERIAL: z.string().optional().describe('微信支付平台证书序列号或公钥 ID'),
  WECHAT_PLATFORM_KEY: z.string().optional().describe('微信支付平台证书或公钥'),
  WECHAT_LOGIN_APP_ID: z.string().optional().describe('微信登录（网站应用）AppID（以下 2 项须同时填写）'),
  WECHAT_LOGIN_SECRET: z.string().optional().describe('微信登录 AppSecret'),
  OCPC360_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('360 转化回传地址；不填则不回传'),
  PURCHASE_EVENT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('购买转化回传地址；不填则不回传'),
  FREE_IMAGES: z.coerce.number().int().min(0).default(guestAllowance.image).describe('游客每天免费处理的图片数'),
  FREE_AI: z.coerce.number().int().min(0).default(guestAllowance.ai).describe('游客每天免费使用 AI 功能的次数'),
  FREE_DOCUMENTS: z.coerce.number().int().min(0).default(guestAllowance.document).describe('游客每天免费转换的文档数'),
  OPERATOR_ADDRESSES: networks.optional().describe('允许登录运营后台的地址或网段，逗号分隔；不填则不限'),
  METRICS_TOKEN: z.string().min(16).optional().describe('从其他机器读取 /metrics 所需的令牌，至少 16 个字符'),
  API_DOCS: z.enum(['on', 'off']).optional().describe('是否提供 /api/docs，默认仅在本机网址时提供'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .optional()
    .describe('日志级别，默认本机试用时为 warn，设了 PUBLIC_URL 则为 info'),
}

/** What is set together or not at all. */
const groups = {
  storage: ['OSS_REGION', 'OSS_BUCKET', 'OSS_ROLE_ARN', 'OSS_ACCESS_KEY_ID', 'OSS_ACCESS_KEY_SECRET'],
  alipay: ['ALIPAY_APP_ID', 'ALIPAY_SELLER_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY'],
  wechat: [
    'WECHAT_APP_ID',
    'WECHAT_MCH_ID',
    'WECHAT_MCH_SERIAL',
    'WECHAT_MCH_PRIVATE_KEY',
    'WECHAT_API_V3_KEY',
    'WECHAT_PLATFORM_SERIAL',
    'WECHAT_PLATFORM_KEY',
  ],
  wechatLogin: ['WECHAT_LOGIN_APP_ID', 'WECHAT_LOGIN_SECRET'],
} as const satisfies Record<string, readonly (keyof typeof variables)[]>

type Group = (typeof groups)[keyof typeof groups]

/** The values of a group where it is set. Throws ConfigError naming what is missing of one that is half set. */
function whole<G extends Group>(
  group: G,
  given: Readonly<Record<string, string | undefined>>,
): Readonly<Record<G[number], string>> | undefined {
  const missing = group.filter((name) => given[name] === undefined)
  if (missing.length === group.length) return undefined
  if (missing.length > 0) throw new ConfigError(`还缺少环境变量：${missing.join('、')}`)
  return Object.fromEntries(group.map((name) => [name, given[name]])) as Record<G[number], string> // none is missing
}

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
  const values = parsed.data
  const storage = whole(groups.storage, given)
  const isProduction = values.NODE_ENV === 'production'
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
    modelsFolder: values.MODELS_DIR === undefined ? undefined : resolve(values.MODELS_DIR),
    aiWorkers: values.AI_WORKERS,
    cloudStorage: storage && {
      region: storage.OSS_REGION,
      bucket: storage.OSS_BUCKET,
      roleArn: storage.OSS_ROLE_ARN,
      accessKeyId: storage.OSS_ACCESS_KEY_ID,
      accessKeySecret: storage.OSS_ACCESS_KEY_SECRET,
    },
    isProduction,
    siteFile: values.SITE_FILE,
    payments: paymentsOf(values, whole(groups.alipay, given), whole(groups.wechat, given)),
    wechatLogin: whole(groups.wechatLogin, given),
    conversionUrls: { ocpc360: values.OCPC360_URL, purchase: values.PURCHASE_EVENT_URL },
    guestAllowance: { image: values.FREE_IMAGES, ai: values.FREE_AI, document: values.FREE_DOCUMENTS },
    operatorAddresses: values.OPERATOR_ADDRESSES,
    partnerMarker: values.PARTNER_MARKER ?? '',
    metricsToken: values.METRICS_TOKEN,
    hasDocs: values.API_DOCS === undefined ? values.PUBLIC_URL === undefined : values.API_DOCS === 'on',
    // On a person's own screen only what needs them; where others are served, every request.
    logLevel: values.LOG_LEVEL ?? (values.PUBLIC_URL === undefined ? 'warn' : 'info'),
  }
}

type Values<G extends Group> = Readonly<Record<G[number], string>>

/** How people pay: at real providers, at the sandbox that stands in for both, or not at all. */
export type Payments =
  | {
      readonly kind: 'real'
      readonly alipay: Values<typeof groups.alipay> | undefined
      readonly wechat: Values<typeof groups.wechat> | undefined
    }
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'off' }

/**
 * Without keys the sandbox, where its user is at this machine; for the public, whose memberships it would give away, only when asked for.
 * Throws ConfigError where real keys and the sandbox are both asked for, and where a production server has no keys and does not say so.
 */
function paymentsOf(
  {
    PAYMENTS: asked,
    NODE_ENV,
    PUBLIC_URL,
  }: { PAYMENTS?: 'sandbox' | 'off' | undefined; NODE_ENV?: string | undefined; PUBLIC_URL?: string | undefined },
  alipay: Values<typeof groups.alipay> | undefined,
  wechat: Values<typeof groups.wechat> | undefined,
): Payments {
  if (!alipay && !wechat && asked !== 'off' && NODE_ENV === 'production')
    throw new ConfigError('正式环境（NODE_ENV=production）不能使用沙箱支付：请填写支付宝或微信支付的密钥，或设 PAYMENTS=off。')
  if (!alipay && !wechat) return { kind: asked ?? (PUBLIC_URL === undefined ? 'sandbox' : 'off') }
  if (asked === 'sandbox') throw new ConfigError('已填写真实支付密钥，不能同时使用沙箱支付：请去掉 PAYMENTS=sandbox 或支付密钥。')
  return asked === 'off' ? { kind: 'off' } : { kind: 'real', alipay, wechat }
}

const describe = (name: string): string =>
  Object.hasOwn(variables, name) ? (variables[name as keyof typeof variables].description ?? '') : '' // hasOwn just said so

/** A line a variable, for `--help`. */
export const configHelp = (): string =>
  Object.keys(variables)
    .map((name) => `  ${name.padEnd(22)} ${describe(name)}`)
    .join('\n')
