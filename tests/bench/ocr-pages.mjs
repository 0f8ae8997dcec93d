import { createRequire } from 'node:module'
import sharp from 'sharp'

const fontfile = createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf')
const bold = fontfile.replaceAll('400Regular', '700Bold')

/** Chinese text of several kinds. */
export const texts = [
  '根据公司年度工作安排，现将办公用品采购有关事项通知如下。各部门应于每月二十五日前提交下月采购计划，由行政部统一汇总、比价并组织采购；单件金额超过五千元的，须经分管领导审批。',
  '第三条　甲方应在合同签订后十个工作日内，向乙方支付合同总价款百分之三十的预付款，即人民币壹拾贰万叁仟元整（￥123,000.00）。逾期付款的，每日按应付未付金额的万分之五支付违约金。',
  '本研究采用问卷调查与深度访谈相结合的方法，共发放问卷四百二十份，回收有效问卷三百八十六份，有效回收率为91.9%。统计结果表明，受访者对线上服务的满意度显著高于线下窗口。',
  '秋天的傍晚，湖面上浮着一层薄薄的雾，远处的山峦若隐若现。渔船缓缓归来，桨声惊起芦苇丛中的白鹭，它们扑棱着翅膀，消失在橘红色的晚霞里。孩子们提着竹篮，在岸边捡拾被潮水冲上来的贝壳。',
  '高血压患者日常应注意低盐饮食，每日食盐摄入量控制在五克以内，戒烟限酒，保持适量运动。服药期间如出现头晕、乏力、干咳等症状，应及时就诊，切勿自行停药或更换剂量。',
  '安装软件前，请确认计算机满足下列条件：Windows 10 或更高版本，内存不少于 8 GB，可用磁盘空间不少于 20 GB。双击安装包后按照提示操作，重启计算机即可使用。如遇 Error 0x80070005，请以管理员身份运行。',
  '二〇二四年第一季度，全市实现地区生产总值一千八百六十五亿元，同比增长5.8%；规模以上工业增加值增长7.2%，固定资产投资增长4.6%，社会消费品零售总额增长6.1%，居民消费价格上涨0.3%。',
  '申请人对本处罚决定不服的，可以自收到本决定书之日起六十日内，向市人民政府申请行政复议；也可以在六个月内，依法向人民法院提起行政诉讼。复议、诉讼期间，本决定不停止执行。',
  '红烧排骨的做法：排骨洗净焯水，锅中放油烧热，加冰糖炒出糖色，放入排骨翻炒均匀，再加入葱姜、八角、桂皮、酱油和料酒，倒入没过食材的热水，小火慢炖四十分钟，最后大火收汁即可。',
  '量子计算利用叠加与纠缠等特性处理信息，在质因数分解、组合优化、分子模拟等问题上有望远超经典计算机。然而，退相干、门误差以及纠错开销仍是走向实用的主要障碍。',
]
const english = [
  'The committee reviewed the annual report and approved the budget for the next fiscal year.',
  'Please contact us by e-mail at service@example.com or call 400-800-1234 before Friday.',
  'Version 2.5 adds support for PDF, Word and Excel files, and fixes several known issues.',
]
const rows = [
  ['项目', '数量', '单价（元）', '金额（元）', '备注'],
  ['激光打印机', '12', '1,860.00', '22,320.00', '含安装'],
  ['办公椅', '45', '420.50', '18,922.50', '黑色'],
  ['会议平板', '3', '9,999.00', '29,997.00', '75英寸'],
  ['复印纸', '200', '21.80', '4,360.00', 'A4'],
  ['移动硬盘', '18', '388.00', '6,984.00', '2TB'],
  ['合计', '278', '', '82,583.50', ''],
]

/** Text as a picture, black on nothing. */
const typed = (/** @type {string} */ text, /** @type {string} */ font, /** @type {number} */ px, /** @type {number | undefined} */ width) =>
  sharp({
    text: {
      text,
      font: `${font} ${px}`,
      dpi: 72,
      rgba: true,
      spacing: Math.round(px * 0.55),
      wrap: 'word',
      ...(width && { width }),
      ...fileOf(font),
    },
  })
    .png()
    .toBuffer()
const fileOf = (/** @type {string} */ font) =>
  font.startsWith('Noto Sans SC') ? { fontfile: font.includes('Bold') ? bold : fontfile } : {}

/** @typedef {{ name: string, font: string, points: number, kind: 'text' | 'mixed' | 'table', spoil?: 'skew' | 'noise' | 'jpeg' | 'pale' | 'blur' }} Kind */

/** @type {readonly Kind[]} */
const kinds = [
  ...[9, 10.5, 12, 14, 16, 22].map(
    (points) => /** @type {const} */ ({ name: `sans ${points} pt`, font: 'Noto Sans SC', points, kind: 'text' }),
  ),
  ...[9, 10.5, 12, 16].map(
    (points) => /** @type {const} */ ({ name: `serif ${points} pt`, font: 'Noto Serif CJK SC', points, kind: 'text' }),
  ),
  { name: 'bold 12 pt', font: 'Noto Sans SC Bold', points: 12, kind: 'text' },
  { name: 'with English', font: 'Noto Sans SC', points: 12, kind: 'mixed' },
  { name: 'with English, serif', font: 'Noto Serif CJK SC', points: 10.5, kind: 'mixed' },
  { name: 'table', font: 'Noto Sans SC', points: 10.5, kind: 'table' },
  { name: 'table, serif', font: 'Noto Serif CJK SC', points: 12, kind: 'table' },
  .../** @type {const} */ (['skew', 'noise', 'jpeg', 'pale', 'blur']).flatMap((spoil) =>
    /** @type {const} */ (['text', 'table']).map(
      (kind) =>
        /** @type {const} */ ({
          name: `${kind}, ${spoil}`,
          font: kind === 'text' ? 'Noto Serif CJK SC' : 'Noto Sans SC',
          points: kind === 'text' ? 10.5 : 12,
          kind,
          spoil,
        }),
    ),
  ),
]

const [WIDTH, HEIGHT, DPI] = [1654, 2339, 200]
const MARGIN = 180

/** What stands on a page, part by part: its text, and how wide it may be. @returns {{ text: string, x: number, y: number, width?: number }[]} */
function partsOf(/** @type {Kind} */ { kind, points }, /** @type {number} */ seed) {
  const px = (points * DPI) / 72
  if (kind === 'table')
    return rows.flatMap((cells, r) => cells.flatMap((text, c) => (text === '' ? [] : [{ text, x: 200 + c * 255, y: 320 + r * 90 }])))
  const width = WIDTH - 2 * MARGIN
  const parts = [{ text: '关于进一步做好有关工作的通知', x: MARGIN, y: 200, width }]
  for (let at = 0, y = 320; at < texts.length; at++) {
    const chosen = [texts[(at + seed) % texts.length] ?? '', ...(kind === 'mixed' ? [english[at % english.length] ?? ''] : [])]
    for (const text of chosen) {
      const lines = Math.ceil((text.length * px * (/[a-z]{3}/.test(text) && !/[一-龥]/.test(text) ? 0.55 : 1.02)) / width)
      if (y + lines * px * 2 > HEIGHT - 200) return parts
      parts.push({ text, x: MARGIN, y, width })
      y += Math.round((lines * 1.95 + 0.6) * px)
    }
  }
  return parts
}

const rulesOf = (/** @type {Kind['kind']} */ kind) => {
  if (kind !== 'table') return ''
  const xs = Array.from({ length: 6 }, (_, at) => 180 + at * 255)
  const ys = Array.from({ length: 8 }, (_, at) => 295 + at * 90)
  return [...xs.map((x) => `M${x} ${ys[0]}V${ys.at(-1)}`), ...ys.map((y) => `M${xs[0]} ${y}H${xs.at(-1)}`)].join('')
}

/** The same noise each time (mulberry32, by the sum of four). */
function noisy(/** @type {Buffer} */ data, /** @type {number} */ seed) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return Buffer.from(data.map((value) => Math.max(0, Math.min(255, value + (next() + next() + next() + next() - 2) * 45))))
}

async function spoiled(/** @type {Buffer} */ page, /** @type {Kind['spoil']} */ spoil, /** @type {number} */ seed) {
  if (spoil === 'skew')
    return sharp(page)
      .rotate(seed % 2 === 0 ? 1.8 : -1.6, { background: '#fff' })
      .jpeg({ quality: 80 })
      .toBuffer()
  if (spoil === 'jpeg') return sharp(page).jpeg({ quality: 18 }).toBuffer()
  if (spoil === 'pale') return sharp(page).linear(0.3, 150).jpeg({ quality: 75 }).toBuffer()
  if (spoil === 'blur') return sharp(page).blur(1.4).jpeg({ quality: 75 }).toBuffer()
  if (spoil !== 'noise') return sharp(page).jpeg({ quality: 88 }).toBuffer()
  const { data, info } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true })
  return sharp(noisy(data, seed), { raw: { width: info.width, height: info.height, channels: 1 } })
    .jpeg({ quality: 80 })
    .toBuffer()
}

/** Pages of known text as scans of A4 at 200 dpi, one after the other. */
export async function* ocrPages() {
  for (const [seed, kind] of kinds.entries()) {
    const parts = partsOf(kind, seed * 3)
    const px = (kind.points * DPI) / 72
    const layers = await Promise.all(
      parts.map(async ({ text, x, y, width }) => ({ input: await typed(text, kind.font, px, width), left: x, top: y })),
    )
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><path d="${rulesOf(kind.kind)}" stroke="#000" stroke-width="2"/></svg>`
    const page = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#fff' } })
      .composite([{ input: Buffer.from(svg) }, ...layers])
      .png()
      .toBuffer()
    yield {
      name: kind.name,
      isSpoiled: kind.spoil !== undefined,
      text: parts.map(({ text }) => text).join('\n'),
      picture: await spoiled(page, kind.spoil, seed),
    }
  }
}
