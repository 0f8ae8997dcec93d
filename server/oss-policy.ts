import { parseArgs } from 'node:util'
import { bucketRules, type BucketUse } from './storage/bucket-rules.ts'

const USAGE = `用法：npm run oss:policy -- [--bucket 名称] [--role acs:ram::账号ID:role/名称] [--origin https://网址] [--user RAM用户名]
不写的从环境变量读取：OSS_BUCKET、OSS_ROLE_ARN、PUBLIC_URL。`

const REMARKS = `另外，请在控制台设置：
1. 读写权限 ACL 设为“私有”，并开启“阻止公共访问”：浏览器只用临时凭证上传，下载都经过服务器。
2. 不要开启版本控制：否则删除的文件仍会保留旧版本。
3. 服务器的 AccessKey 属于上面的 RAM 用户，不要使用主账号的 AccessKey。`

class Complaint extends Error {}

const formats = {
  bucket: [/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'OSS_BUCKET 或 --bucket：小写字母、数字和连字符'],
  roleArn: [/^acs:ram::\d+:role\/[\w.-]+$/, 'OSS_ROLE_ARN 或 --role：如 acs:ram::1234567890:role/qingtu-upload'],
  origin: [/^https?:\/\/[^/\s*]+$/, 'PUBLIC_URL 或 --origin：如 https://www.example.com'],
  user: [/^[\w.@-]+$/, '--user：RAM 用户名'],
} as const satisfies Record<keyof BucketUse, readonly [RegExp, string]>

/** What was said on the command line, or by the environment. Throws Complaint, and what parseArgs throws. */
function readUse(words: readonly string[], environment: NodeJS.ProcessEnv): BucketUse {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...words], options: { bucket: text, role: text, origin: text, user: text } })
  const site = values.origin ?? environment['PUBLIC_URL'] ?? ''
  const use: BucketUse = {
    bucket: values.bucket ?? environment['OSS_BUCKET'] ?? '',
    roleArn: values.role ?? environment['OSS_ROLE_ARN'] ?? '',
    origin: URL.canParse(site) ? new URL(site).origin : site,
    user: values.user ?? 'qingtu-server',
  }
  const wrong = (['bucket', 'roleArn', 'origin', 'user'] as const).filter((name) => !formats[name][0].test(use[name]))
  if (wrong.length > 0) throw new Complaint(`缺少或有误：\n${wrong.map((name) => `  ${formats[name][1]}`).join('\n')}`)
  return use
}

try {
  const use = readUse(process.argv.slice(2), process.env)
  for (const { title, text } of bucketRules(use)) console.log(`# ${title}\n\n${text}\n`)
  console.log(REMARKS)
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exitCode = 2
}
