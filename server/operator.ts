import { Registry } from 'prom-client'
import { forgetMember, identityOfOrder } from './accounts/forget.ts'
import { closeUnpaid } from './billing/follow.ts'
import { openTill } from './billing/till.ts'
import { parseConfig, type Config } from './config.ts'
import { Complaint, runCommand, sourceOf } from './console.ts'
import { openDatabase, type Database } from './database/open.ts'
import { openLog } from './log.ts'
import { moneyFigures } from './metrics/counted.ts'
import { audit, notesSince, type Deed } from './operators/audit.ts'
import { addOperator, listOperators, removeOperator, resetOperator, type Issued } from './operators/operators.ts'
import { openSecrets } from './secrets.ts'
import { usualRates } from './services.ts'
import { DAY_MS } from '#shared/china-time'

const USAGE = `用法：npm run operator -- <命令>

  add <账号>      新增运营账号，显示一次密码和动态口令密钥
  list            列出运营账号
  reset <账号>    重新生成密码和密钥，并退出其登录
  remove <账号>   删除运营账号，并退出其登录
  audit [天数]    导出审计日志，每行一条 JSON；不填天数则全部
  forget <订单号> 注销下单的会员：关闭未付款的订单，账号作废、退出所有电脑、删除文件和个人信息，保留已付的订单；不退款，不能恢复

使用内置数据库时请先停止服务；设置了 DATABASE_URL 时随时可以运行。`

const isName = (text: string): boolean => /^[\p{L}\p{N}._-]{1,30}$/u.test(text)

const inChina = (at: Date): string => at.toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' })

const shown = (name: string, { password, secret, uri }: Issued): string =>
  [
    `运营账号 ${name} 的登录信息只显示这一次，请立即保存：`,
    `  密码        ${password}`,
    `  口令密钥    ${secret}`,
    `  添加地址    ${uri}`,
    '在身份验证器（如 Microsoft Authenticator）中手动输入口令密钥，或用它打开添加地址；登录时填写其中的 6 位动态口令。',
  ].join('\n')

async function list(db: Database): Promise<string> {
  const rows = await listOperators(db)
  if (rows.length === 0) return '还没有运营账号。'
  return rows
    .map(({ name, createdAt, lockedUntil }) => {
      const isLocked = lockedUntil !== null && lockedUntil.getTime() > Date.now()
      return `${name}\t${inChina(createdAt)} 创建${isLocked ? `\t已锁定至 ${inChina(lockedUntil)}` : ''}`
    })
    .join('\n')
}

/** The notes of so many days, for keeping elsewhere: one JSON line each. */
async function exported(db: Database, days: string): Promise<string> {
  if (!/^\d{0,5}$/.test(days)) throw new Complaint('天数请用整数。')
  const since = days === '' ? new Date(0) : new Date(Date.now() - Number(days) * DAY_MS)
  return (await notesSince(db, since)).map((note) => JSON.stringify(note)).join('\n')
}

/** Closes what the member has ordered and not paid. A sandbox's gateway is the server, which may be stopped; no money comes in there. */
async function closeOrders(db: Database, config: Config, identity: string): Promise<void> {
  if (config.payments.kind === 'sandbox') return
  const parts = { db, log: openLog('silent'), now: Date.now, newOrders: usualRates.createOrder, counts: moneyFigures(new Registry()) }
  const isClosed = await closeUnpaid(
    openTill(config, parts, () => ''),
    identity,
  ).catch((cause: unknown) => {
    const why = '未付款的订单没能在支付平台关闭，所以没有注销：请带着服务器的支付配置运行，稍后再试。'
    throw new Complaint(why, { cause })
  })
  if (!isClosed) throw new Complaint('有一笔订单刚刚付了款，所以没有注销：请先确认是否退款，再运行一次。')
}

async function forget(db: Database, config: Config, order: string): Promise<string> {
  const identity = await identityOfOrder(db, order)
  if (identity === undefined) throw new Complaint('没有这个订单号。')
  await audit(db, { operator: '', action: 'forgot', detail: { identity }, address: 'console' }, Date.now())
  await closeOrders(db, config, identity)
  await forgetMember(db, identity, Date.now())
  return '已注销：账号不能再登录，文件在服务运行时几分钟内删除。'
}

/** Does what the words say; what is to be printed. */
async function perform(db: Database, config: Config, command: string, name: string): Promise<string> {
  const secrets = openSecrets(config.secretKey, config.dataFolder)
  const note = (action: Deed['action']): Promise<void> => audit(db, { operator: name, action, detail: {}, address: 'console' }, Date.now())
  if (command === 'list') return list(db)
  if (command === 'audit') return exported(db, name)
  if (command === 'forget') return forget(db, config, name)
  if (!isName(name)) throw new Complaint('账号请用 1–30 个字母、数字、汉字或 . _ -。')
  if (command === 'add') {
    const issued = await addOperator(db, secrets, name, Date.now())
    if (!issued) throw new Complaint(`运营账号 ${name} 已存在；忘记密码请用 reset。`)
    await note('added')
    return shown(name, issued)
  }
  if (command === 'reset') {
    const issued = await resetOperator(db, secrets, name)
    if (!issued) throw new Complaint(`没有运营账号 ${name}。`)
    await note('reset')
    return shown(name, issued)
  }
  if (!(await removeOperator(db, name))) throw new Complaint(`没有运营账号 ${name}。`)
  await note('removed')
  return `已删除运营账号 ${name}。`
}

async function main([command = '', name = '']: readonly string[]): Promise<void> {
  if (!['add', 'list', 'reset', 'remove', 'audit', 'forget'].includes(command)) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  await runCommand(async () => {
    const config = parseConfig(process.env)
    const connection = await openDatabase(sourceOf(config))
    try {
      console.log(await perform(connection.db, config, command, name))
    } finally {
      await connection.close()
    }
  })
}

await main(process.argv.slice(2))
