import { isIP } from 'node:net'
import { z } from 'zod'
import { MAX_INPUTS } from '#shared/api/jobs'
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
export const variables = {
  ROLE: z
    .enum(['all', 'api', 'worker', 'storage'])
    .default('all')
    .describe('本进程的角色：all 全部，api 网站与接口，worker 处理任务，storage 本地对象存储；默认 all，其余须用 PostgreSQL'),
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
  STORAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('storage 进程的地址，如 http://storage:8080；浏览器仍用 PUBLIC_URL'),
  WORKERS: z.coerce.number().int().min(0).max(256).optional().describe('同时处理的图片任务数，默认等于 CPU 核数；0 不处理这一类'),
  DOCUMENT_WORKERS: z.coerce
    .number()
    .int()
    .min(0)
    .max(256)
    .optional()
    .describe('同时处理的文档任务数，默认 WORKERS 的一半；0 不处理这一类'),
  MODELS_DIR: z.string().min(1).optional().describe('高清抠图模型所在目录；不填则使用内置模型'),
  AI_WORKERS: z.coerce
    .number()
    .int()
    .min(0)
    .max(64)
    .optional()
    .describe('同时进行的 AI 任务数，默认等于 WORKERS，但不超过一半内存所能容纳的；0 不处理这一类'),
  // Read where the models run: the children inherit it.
  AI_THREADS: z.coerce.number().int().min(1).max(64).optional().describe('每个 AI 任务使用的线程数，默认 1'),
  QUEUE_LIMIT: z.coerce.number().int().min(MAX_INPUTS).default(10_000).describe('最多排队的任务数，默认 10000；再来的请稍后再试'),
  QUEUE_PER_PERSON: z.coerce.number().int().min(MAX_INPUTS).default(1_000).describe('每人最多排队的任务数，默认 1000'),
  OSS_REGION: z.string().optional().describe('阿里云 OSS 地域，如 oss-cn-shanghai（与以下 4 项须同时填写）'),
  OSS_BUCKET: z.string().optional().describe('阿里云 OSS 存储空间'),
  OSS_ROLE_ARN: z.string().optional().describe('上传临时凭证所用的 RAM 角色'),
  OSS_ACCESS_KEY_ID: z.string().optional().describe('阿里云 AccessKey ID'),
  OSS_ACCESS_KEY_SECRET: z.string().optional().describe('阿里云 AccessKey Secret'),
  OSS_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('服务器访问 OSS 的地址，如内网 https://oss-cn-shanghai-internal.aliyuncs.com；浏览器仍用公网地址'),
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
  WORKER_NICENESS: z.coerce
    .number()
    .int()
    .min(0)
    .max(19)
    .default(10)
    .describe('处理文件的子进程让出处理器的程度（0–19），越大越让着服务器和同机的其他程序；默认 10，只跑 worker 的机器可设 0'),
  DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      '收到停止信号后，先让 /readyz 答复 503 这么多秒（负载均衡据此不再转来请求），再停止；worker 则等正在处理的任务这么多秒（至少 3 秒），没完成的由别的进程重做；默认 0',
    ),
  METRICS_TOKEN: z.string().min(16).optional().describe('从其他机器读取 /metrics 所需的令牌，至少 16 个字符'),
  API_DOCS: z.enum(['on', 'off']).optional().describe('是否提供 /api/docs，默认仅在本机网址时提供'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .optional()
    .describe('日志级别，默认本机试用时为 warn，设了 PUBLIC_URL 则为 info'),
}

/** What is set together or not at all. */
export const groups = {
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

/** What a variable is for; empty for what is none. */
export const describe = (name: string): string =>
  Object.hasOwn(variables, name) ? (variables[name as keyof typeof variables].description ?? '') : '' // hasOwn just said so

/** A line a variable, for `--help`. */
export const configHelp = (): string =>
  Object.keys(variables)
    .map((name) => `  ${name.padEnd(22)} ${describe(name)}`)
    .join('\n')
