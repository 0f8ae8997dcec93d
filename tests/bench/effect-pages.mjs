import sharp from 'sharp'
import { seeded } from './effects.mjs'

/**
 * A rendered page and the words on it, line by line.
 * @typedef {{ name: string, isHeldBack: boolean, text: string, data: Uint8Array, width: number, height: number }} Page
 * @typedef {import('./page-photos.mjs').Raw} Raw
 */

const [WIDTH, HEIGHT] = [1240, 1754]

const chinese = [
  '今天上午九点，各部门负责人在三楼会议室开会。',
  '请把合同原件寄到财务部，复印件留在本部门备查。',
  '项目第一阶段已经完成，第二阶段将于下月开始。',
  '如有疑问，请在工作日拨打服务电话与我们联系。',
  '本季度的销售收入比去年同期增长了百分之十二。',
  '会议决定由技术组负责系统升级和数据迁移工作。',
  '雨季将至，请各仓库检查屋顶和排水管道的情况。',
  '员工出差回来后，应在五个工作日内办理报销手续。',
  '图书馆周末照常开放，时间为早上八点到晚上六点。',
  '所有参赛作品必须是原创，不得抄袭他人的成果。',
  '学校将组织学生参观科技馆，费用由学校承担。',
  '本合同一式两份，双方各执一份，签字后生效。',
]
const english = [
  'The committee will meet again on Monday morning at nine.',
  'Please return the signed form to the office by Friday.',
  'All prices include packaging but do not include delivery.',
  'Water samples were taken from the river every two hours.',
  'The second engine failed shortly after the aircraft landed.',
  'Students may borrow up to five books for three weeks.',
  'Our records show that the invoice has not been paid yet.',
  'Temperatures rose slowly during the first half of the month.',
  'The new bridge is expected to open before the winter.',
  'Keep this document in a safe place for future reference.',
  'Nobody was able to explain where the letters came from.',
  'A short summary of the results can be found on page four.',
]

const escape = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const pick = (/** @type {readonly string[]} */ list, /** @type {number} */ n) => list[n % list.length] ?? ''

/** @typedef {{ svg: string, lines: string[] }} Drawn */
const word = (
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ size,
  /** @type {string} */ text,
  font = 'Noto Sans CJK SC',
  fill = '#1c1c1c',
  weight = 400,
) => `<text x="${x}" y="${y}" font-size="${size}" font-family="${font}" font-weight="${weight}" fill="${fill}">${escape(text)}</text>`

/** Lines of text from a height on. @returns {Drawn} */
function paragraph(
  /** @type {readonly string[]} */ from,
  /** @type {number} */ seed,
  /** @type {number} */ top,
  /** @type {number} */ count,
  /** @type {number} */ size,
  font = 'Noto Sans CJK SC',
) {
  const lines = Array.from({ length: count }, (_, n) => pick(from, seed * 5 + n))
  return { svg: lines.map((line, n) => word(110, top + n * size * 1.75, size, line, font)).join(''), lines }
}

/** A table of numbers with a filled head. @returns {Drawn} */
function table(/** @type {number} */ seed, /** @type {number} */ top) {
  const random = seeded(seed + 77)
  const head = ['编号', '数量', '单价', '金额']
  const rows = Array.from({ length: 7 }, () => {
    const [count, price] = [1 + Math.floor(random() * 90), 10 + Math.floor(random() * 900)]
    return [String(1000 + Math.floor(random() * 9000)), String(count), String(price), String(count * price)]
  })
  const cell = (/** @type {number} */ column) => 110 + column * 255
  const rules = Array.from({ length: 9 }, (_, n) => `<path d="M110 ${top + n * 58}H1130" stroke="#333" stroke-width="2"/>`).join('')
  const uprights = Array.from(
    { length: 5 },
    (_, n) => `<path d="M${cell(n)} ${top}V${top + 8 * 58}" stroke="#333" stroke-width="2"/>`,
  ).join('')
  const words = [head, ...rows].map((row, n) => row.map((text, c) => word(cell(c) + 24, top + n * 58 + 41, 30, text)).join('')).join('')
  return {
    svg: `<rect x="110" y="${top}" width="1020" height="58" fill="#cfe0f5"/>${rules}${uprights}${words}`,
    lines: [head, ...rows].map((row) => row.join('')),
  }
}

const block = (/** @type {string} */ fill, /** @type {number} */ top, /** @type {number} */ height) =>
  `<rect x="110" y="${top}" width="1020" height="${height}" fill="${fill}"/>`

/** @typedef {(seed: number) => Drawn & { photoTop?: number }} Kind */
const kinds = /** @type {Record<string, Kind>} */ ({
  chinese: (seed) => {
    const [title, body] = [pick(chinese, seed + 3).slice(0, 10), paragraph(chinese, seed, 300, 22, 32)]
    return { svg: word(330, 190, 60, title, 'Noto Sans CJK SC', '#111', 700) + body.svg, lines: [title, ...body.lines] }
  },
  serif: (seed) => paragraph(chinese, seed + 1, 180, 26, 32, 'Noto Serif CJK SC'),
  english: (seed) => {
    const [title, body] = [pick(english, seed).slice(0, 26), paragraph(english, seed, 280, 24, 30, 'Noto Serif')]
    return { svg: word(110, 190, 56, title, 'Noto Sans', '#111', 700) + body.svg, lines: [title, ...body.lines] }
  },
  table: (seed) => {
    const [upper, middle, lower] = [paragraph(chinese, seed, 180, 6, 32), table(seed, 540), paragraph(chinese, seed + 1, 1110, 9, 32)]
    return { svg: upper.svg + middle.svg + lower.svg, lines: [...upper.lines, ...middle.lines, ...lower.lines] }
  },
  blocks: (seed) => {
    const [upper, lower] = [paragraph(chinese, seed, 420, 8, 32), paragraph(english, seed, 1230, 8, 30, 'Noto Sans')]
    const title = pick(chinese, seed + 6).slice(0, 12)
    const svg =
      block('#c8202c', 110, 190) +
      word(160, 230, 58, title, 'Noto Sans CJK SC', '#fff', 700) +
      upper.svg +
      block('#1f5fbf', 900, 120) +
      block('#f6e7a0', 1040, 110) +
      lower.svg
    return { svg, lines: [title, ...upper.lines, ...lower.lines] }
  },
  photo: (seed) => {
    const [upper, lower] = [paragraph(english, seed + 2, 170, 7, 30, 'Noto Sans'), paragraph(chinese, seed, 1180, 8, 32)]
    return { svg: upper.svg + lower.svg, lines: [...upper.lines, ...lower.lines], photoTop: 560 }
  },
})

/** Pages of every kind, twice; the second ones are held back. @returns {Promise<Page[]>} */
export function renderedPages(/** @type {readonly Raw[]} */ photos) {
  return Promise.all(
    Object.entries(kinds).flatMap(([kind, draw], index) =>
      [false, true].map(async (isHeldBack) => {
        const seed = index * 2 + (isHeldBack ? 1 : 0)
        const { svg, lines, photoTop } = draw(seed)
        const paper = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#fff"/>${svg}</svg>`
        const drawn = sharp(Buffer.from(paper)).flatten({ background: '#fff' })
        const photo = photos[seed % photos.length]
        if (photoTop !== undefined && photo) {
          const { width, height } = photo
          const input = await sharp(photo.data, { raw: { width, height, channels: 3 } })
            .resize(760, 500)
            .png()
            .toBuffer()
          drawn.composite([{ input, left: 240, top: photoTop }])
        }
        const { data, info } = await drawn.removeAlpha().raw().toBuffer({ resolveWithObject: true })
        return {
          name: `${kind}-${seed}`,
          isHeldBack,
          text: lines.join('\n'),
          data: new Uint8Array(data),
          width: info.width,
          height: info.height,
        }
      }),
    ),
  )
}
