import { readFileSync } from 'node:fs'
import { ConfigError, type Config } from './config.ts'
import { siteFacts, type SiteFacts } from '#shared/site'

type Fact = keyof SiteFacts

/** What each fact is, and how it is written, for whoever fills in the file. */
const descriptions: Readonly<Record<Fact, string>> = {
  company: '公司名称',
  licence: '营业执照号',
  icp: 'ICP 备案号',
  policeNumber: '公安备案号',
  copyright: '版权文字',
  partnerCopyright: '合作方来源时的版权文字',
  partnerIcp: '合作方来源时的备案号',
  contact: '联系方式',
  messagingContact: '客服微信等联系方式',
  serviceQr: '客服二维码图片地址，本站路径或 https 网址',
  installer: '安装包：url（https 网址）、sha256（64 位十六进制）、bytes（字节数）',
  imageHost: '头像等图片所在网站，https 网址',
}

/** What a production server must be able to show; there is no installer as long as none is offered. */
const needed: readonly Fact[] = ['company', 'licence', 'icp', 'policeNumber', 'copyright', 'contact', 'messagingContact', 'serviceQr']
const neededForPartner: readonly Fact[] = ['partnerCopyright', 'partnerIcp']

const isFact = (name: string): name is Fact => Object.hasOwn(descriptions, name)
const described = (name: Fact): string => `${name}（${descriptions[name]}）`

/** The facts of the site's file, none without one. Throws ConfigError naming what is wrong, or missing where the site is a real one. */
export function readSite({ siteFile, isProduction, partnerMarker }: Config): SiteFacts {
  const facts = siteFile === undefined ? {} : parseFacts(siteFile)
  const missing = [...needed, ...(partnerMarker === '' ? [] : neededForPartner)].filter((name) => facts[name] === undefined)
  if (isProduction && missing.length > 0)
    throw new ConfigError(`正式环境（NODE_ENV=production）须在站点资料文件（SITE_FILE）中填写：${missing.map(described).join('、')}`)
  return facts
}

function parseFacts(file: string): SiteFacts {
  const parsed = siteFacts.safeParse(readJson(file))
  if (parsed.success) return parsed.data
  const names = new Set(parsed.error.issues.flatMap((issue) => namesIn(issue)))
  throw new ConfigError(`站点资料文件 ${file} 填写有误：${[...names].join('；')}`)
}

/** The facts an issue is about; of a name that is none, that it is none. */
function namesIn(issue: { readonly path: readonly PropertyKey[]; readonly keys?: readonly string[] }): readonly string[] {
  const [first] = issue.path
  if (typeof first === 'string' && isFact(first)) return [described(first)]
  return issue.keys?.map((key) => `没有 ${key} 这一项`) ?? ['应为一个 JSON 对象']
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new ConfigError(`站点资料文件 ${file} 不是有效的 JSON：请检查逗号、引号和括号。`)
    throw new ConfigError(`无法读取站点资料文件 ${file}：请检查路径和权限。`)
  }
}

/** Where else than here the site's pictures are. */
export const imageOriginsOf = ({ serviceQr, imageHost }: SiteFacts): readonly string[] =>
  [serviceQr, imageHost].flatMap((address) => (address?.startsWith('https:') ? [new URL(address).origin] : []))
