import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { corpus } from './measure.mjs'

/**
 * A composite: its picture, and what it was made of. Samples are 8 bits; `colours` are the subject's own, red, green and blue.
 * @typedef {{ name: string, kind: import('#shared/tools/define').Subject, width: number, height: number, picture: Buffer, alpha: Buffer, colours: Buffer }} Scene
 * @typedef {{ name: string, kind: Scene['kind'], file: string | Buffer }} Cutting a picture with alpha
 */

/** Numbers from 0 to 1 that are the same at every run (a linear congruential generator). */
function randomFrom(/** @type {number} */ seed) {
  let state = seed + 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const svg = (/** @type {string} */ body) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-200 -20 400 440" width="900" height="990">${body}</svg>`)

/** Strands of hair, each a thin curve from the head outwards. */
function strands(/** @type {() => number} */ random, /** @type {number} */ count, /** @type {string} */ colour) {
  return Array.from({ length: count }, () => {
    const angle = Math.PI * (1 + random())
    const [x, y] = [70 * Math.cos(angle), 75 + 85 * Math.sin(angle)]
    const [reach, bend] = [1.15 + 0.5 * random(), 60 * (random() - 0.5)]
    const end = `${(x * reach + bend).toFixed(1)} ${(75 + (y - 75) * reach + 90 * random()).toFixed(1)}`
    return `<path d="M${x.toFixed(1)} ${y.toFixed(1)}Q${(x * reach).toFixed(1)} ${(y - 20).toFixed(1)} ${end}" stroke="${colour}" stroke-width="${(0.5 + random()).toFixed(2)}" fill="none"/>`
  }).join('')
}

/** A person with loose hair. */
function person(/** @type {number} */ seed) {
  const random = randomFrom(seed)
  const hair = ['#2a1d16', '#5b3a1e', '#8c6a3f', '#1b1b22'][seed % 4] ?? ''
  const coat = ['#2b3a67', '#7a2e35', '#e9e6df', '#3f4b3a'][(seed >> 1) % 4] ?? ''
  const skin = ['#e3b08f', '#c98d68', '#8d5a3b'][seed % 3] ?? ''
  const long = seed % 2 === 0 ? `<path d="M-80 70C-120 190-95 260-60 270L-45 90ZM80 70C120 190 95 260 60 270L45 90Z" fill="${hair}"/>` : ''
  return svg(`<defs><linearGradient id="l"><stop stop-color="#fff" stop-opacity=".25"/><stop offset="1" stop-color="#000" stop-opacity=".3"/></linearGradient></defs>
    ${strands(random, 160, hair)}${long}<path id="b" d="M-170 420C-170 270-110 215-45 195L-40 150L40 150L45 195C110 215 170 270 170 420Z" fill="${coat}"/>
    <path d="M-170 420C-170 270-110 215-45 195L-40 150L40 150L45 195C110 215 170 270 170 420Z" fill="url(#l)"/>
    <ellipse cy="80" rx="76" ry="98" fill="${skin}"/><ellipse cy="80" rx="76" ry="98" fill="url(#l)"/>
    <ellipse cx="-28" cy="75" rx="10" ry="5" fill="#222"/><ellipse cx="28" cy="75" rx="10" ry="5" fill="#222"/><path d="M-20 130Q0 142 20 130" stroke="#8a3b36" stroke-width="6" fill="none"/>
    <path d="M-82 82C-97-30 97-30 82 82C70 22 30 4 0 7C-30 4-70 22-82 82Z" fill="${hair}"/>${strands(random, 60, hair)}`)
}

const spokes = Array.from(
  { length: 18 },
  (_, at) =>
    `<path d="M0 200L${150 * Math.cos((at * Math.PI) / 9)} ${200 + 150 * Math.sin((at * Math.PI) / 9)}" stroke="#777" stroke-width="2.5"/>`,
)
const leaves = Array.from({ length: 9 }, (_, at) => {
  const turn = -80 + at * 20
  return `<path transform="rotate(${turn} 0 260)" d="M0 260C-26 190-20 110 0 ${30 + (at % 3) * 25}C20 110 26 190 0 260Z" fill="hsl(${105 + at * 6} 45% ${28 + (at % 4) * 7}%)"/>`
})
const goods = {
  kettle: `<path d="M-60 120Q0-90 60 120" fill="none" stroke="#222" stroke-width="16"/><path d="M100 210L185 140L196 160L120 270Z" fill="#a8322a"/><path d="M-110 130H110L140 400H-140Z" fill="#c8392f"/><path d="M-60 150L-75 380" stroke="#fff" stroke-opacity=".5" stroke-width="18"/>`,
  wheel: `<circle cy="200" r="160" fill="none" stroke="#1d1d1f" stroke-width="22"/><circle cy="200" r="145" fill="none" stroke="#b9bcc2" stroke-width="8"/>${spokes.join('')}<circle cy="200" r="16" fill="#444"/>`,
  plant: `${leaves.join('')}<path d="M-75 260H75L55 410H-55Z" fill="#b5653a"/><rect x="-84" y="248" width="168" height="30" rx="6" fill="#c4764a"/>`,
  vase: `<path d="M-40 20H40L36 90C120 150 130 330 60 410H-60C-130 330-120 150-36 90Z" fill="#6fa8c9" fill-opacity=".72"/><path d="M-55 170C-75 250-70 320-45 370" stroke="#fff" stroke-opacity=".7" stroke-width="14" fill="none"/><rect x="-46" y="10" width="92" height="18" rx="9" fill="#4f88aa"/>`,
}

/** Subjects of the corpus that are pictures of one thing with alpha. */
const cut = [
  'webp/Alpha_Lossless_1.webp',
  'png_alpha/grey-8bit-alpha.png',
  'svg/check.svg',
  'svg/logo.svg',
  'apng/ball.png',
  'gif/dispose-background.gif',
]

/** @returns {Cutting[]} */
export const cuttings = () => [
  ...Array.from({ length: 8 }, (_, seed) => ({ name: `person ${seed}`, kind: /** @type {const} */ ('person'), file: person(seed) })),
  ...Object.entries(goods).map(([name, body]) => ({ name, kind: /** @type {const} */ ('goods'), file: svg(body) })),
  ...cut.map((name) => ({ name, kind: /** @type {const} */ ('general'), file: join(corpus, name) })).filter(({ file }) => existsSync(file)),
]

const grounds = [
  'kodak/kodim01.png',
  'kodak/kodim13.png',
  'kodak/kodim22.png',
  'photo_mid/HTC_One_M8.jpg',
  'kodak/kodim12.png',
  'kodak/kodim10.png',
]
  .map((name) => join(corpus, name))
  .filter((file) => existsSync(file))
const wall =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#dfe8ee"/><stop offset="1" stop-color="#8fa39b"/></linearGradient></defs><rect width="64" height="64" fill="url(#g)"/></svg>'

/** Where subjects come to lie: their height in parts of the picture's, their middle, their lower edge (1 is the picture's). */
const placements = [
  { tall: 0.85, across: 0.5, foot: 1.0 },
  { tall: 0.45, across: 0.68, foot: 0.85 },
]

/**
 * Lays a subject over a photo, and remembers what it was. Every other ground is a plain wall, as behind goods and ID photos; the others take turns.
 * @returns {Promise<Scene>}
 */
export async function sceneOf(/** @type {Cutting} */ { name, kind, file }, /** @type {number} */ at, width = 1200, height = 1000) {
  const { tall, across, foot } = placements[at % placements.length] ?? { tall: 1, across: 0.5, foot: 1 }
  const ground = grounds.length === 0 || at % 4 === 1 ? Buffer.from(wall) : grounds[Math.floor(at / 2) % grounds.length]
  const box = { width: Math.round(width * 0.8), height: Math.round(height * tall) }
  const trimmed = await sharp(file, { density: 144 })
    .toColourspace('srgb')
    .ensureAlpha()
    .trim({ background: '#0000', threshold: 0 })
    .png()
    .toBuffer()
  const subject = await sharp(trimmed)
    .resize({ ...box, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const picture = await sharp(ground).resize(width, height, { fit: 'cover' }).toColourspace('srgb').removeAlpha().raw().toBuffer()
  const alpha = Buffer.alloc(width * height)
  const colours = Buffer.from(picture)
  const left = Math.round(across * width - subject.info.width / 2)
  const top = Math.round(foot * height - subject.info.height)
  for (let y = 0; y < subject.info.height; y++) {
    for (let x = 0; x < subject.info.width; x++) {
      if (left + x < 0 || left + x >= width || top + y < 0 || top + y >= height) continue
      const from = 4 * (y * subject.info.width + x)
      const to = (top + y) * width + left + x
      const share = subject.data[from + 3] ?? 0
      alpha[to] = share
      if (share === 0) continue
      for (let channel = 0; channel < 3; channel++) {
        const own = subject.data[from + channel] ?? 0
        colours[3 * to + channel] = own
        picture[3 * to + channel] = Math.round((own * share + (picture[3 * to + channel] ?? 0) * (255 - share)) / 255)
      }
    }
  }
  return { name: `${name} #${at}`, kind, width, height, picture, alpha, colours }
}
