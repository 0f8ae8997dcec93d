import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { describe, groups, variables } from './variables.ts'

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

type Parsed = z.infer<z.ZodObject<typeof variables>>

/** Throws ConfigError where a process could not do its part: several processes need one database, one secret and one place for files. */
function requireParts({ ROLE, DATABASE_URL, SECRET_KEY, STORAGE_URL, PUBLIC_URL, OSS_ENDPOINT, ...sizes }: Parsed, hasOss: boolean): void {
  const isPart = ROLE !== 'all'
  if (isPart && ROLE !== 'storage' && DATABASE_URL === undefined)
    throw new ConfigError(`内置数据库只能由一个进程打开：ROLE=${ROLE} 须填写 DATABASE_URL（PostgreSQL 地址），或去掉 ROLE。`)
  if ((isPart || STORAGE_URL !== undefined) && SECRET_KEY === undefined)
    throw new ConfigError('多个进程须用同一个密钥：请为每个进程填写相同的 SECRET_KEY（至少 32 个字符）。')
  if (ROLE === 'storage' && hasOss) throw new ConfigError('使用阿里云 OSS 时不需要 ROLE=storage：请去掉这个进程，或去掉 OSS_*。')
  if (STORAGE_URL !== undefined && hasOss)
    throw new ConfigError('STORAGE_URL 与 OSS_* 只能填写一种：文件要么在 storage 进程，要么在阿里云 OSS。')
  // The page's policy lets it upload to its own origin only.
  if (STORAGE_URL !== undefined && PUBLIC_URL === undefined && servesPages(ROLE))
    throw new ConfigError('文件在另一个进程里（STORAGE_URL）：请用 PUBLIC_URL 填写用户访问的网址，由前置代理把存储的路径转给那个进程。')
  if (OSS_ENDPOINT !== undefined && !hasOss) throw new ConfigError(`还缺少环境变量：${groups.storage.join('、')}`)
  if (ROLE === 'worker' && STORAGE_URL === undefined && !hasOss)
    throw new ConfigError('ROLE=worker 须知道文件在哪里：请填写 STORAGE_URL（storage 或 api 进程的地址），或填写 OSS_*。')
  const { workers, documentWorkers, aiWorkers } = sizesOf(sizes)
  if (ROLE === 'worker' && workers + documentWorkers + (aiWorkers ?? 1) === 0)
    throw new ConfigError('ROLE=worker 至少处理一类任务：WORKERS、DOCUMENT_WORKERS、AI_WORKERS 不能都是 0。')
  if (DATABASE_URL === undefined && ROLE === 'all' && [workers, documentWorkers, aiWorkers].includes(0))
    throw new ConfigError('使用内置数据库时没有别的进程处理任务：WORKERS、DOCUMENT_WORKERS、AI_WORKERS 都须大于 0。')
}

/** How many jobs of each class run here at a time; of those with a model as many as fit where undefined. */
function sizesOf({ WORKERS, DOCUMENT_WORKERS, AI_WORKERS }: Pick<Parsed, 'WORKERS' | 'DOCUMENT_WORKERS' | 'AI_WORKERS'>) {
  const workers = WORKERS ?? availableParallelism()
  return { workers, documentWorkers: DOCUMENT_WORKERS ?? Math.ceil(workers / 2), aiWorkers: AI_WORKERS ?? (workers === 0 ? 0 : undefined) }
}

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
  requireParts(values, storage !== undefined)
  const isProduction = values.NODE_ENV === 'production'
  return {
    role: values.ROLE,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, ''),
    // Without one there is none: whoever asks could say anything of himself.
    trustedProxies: values.TRUSTED_PROXIES ?? (values.PUBLIC_URL === undefined ? undefined : ['loopback']),
    dataFolder: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    secretKey: values.SECRET_KEY,
    mostWaiting: { inAll: values.QUEUE_LIMIT, ofOne: values.QUEUE_PER_PERSON },
    storageUrl: values.STORAGE_URL?.replace(/\/$/, ''),
    ...sizesOf(values),
    modelsFolder: values.MODELS_DIR === undefined ? undefined : resolve(values.MODELS_DIR),
    cloudStorage: storage && {
      region: storage.OSS_REGION,
      bucket: storage.OSS_BUCKET,
      roleArn: storage.OSS_ROLE_ARN,
      accessKeyId: storage.OSS_ACCESS_KEY_ID,
      accessKeySecret: storage.OSS_ACCESS_KEY_SECRET,
      ...(values.OSS_ENDPOINT !== undefined && { endpoint: values.OSS_ENDPOINT }),
    },
    isProduction,
    siteFile: values.SITE_FILE,
    payments: servesPages(values.ROLE)
      ? paymentsOf(values, whole(groups.alipay, given), whole(groups.wechat, given))
      : ({ kind: 'off' } satisfies Payments),
    wechatLogin: whole(groups.wechatLogin, given),
    conversionUrls: { ocpc360: values.OCPC360_URL, purchase: values.PURCHASE_EVENT_URL },
    guestAllowance: { image: values.FREE_IMAGES, ai: values.FREE_AI, document: values.FREE_DOCUMENTS },
    operatorAddresses: values.OPERATOR_ADDRESSES,
    partnerMarker: values.PARTNER_MARKER ?? '',
    metricsToken: values.METRICS_TOKEN,
    drainMs: values.DRAIN_SECONDS * 1000,
    niceness: values.WORKER_NICENESS,
    hasDocs: values.API_DOCS === undefined ? values.PUBLIC_URL === undefined : values.API_DOCS === 'on',
    // On a person's own screen only what needs them; where others are served, every request.
    logLevel: values.LOG_LEVEL ?? (values.PUBLIC_URL === undefined ? 'warn' : 'info'),
  }
}

const servesPages = (role: Parsed['ROLE']): boolean => role === 'all' || role === 'api'

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
