import sharp from 'sharp'
import { gaussian, seeded } from './effects.mjs'

/**
 * Raw samples, 3 channels.
 * @typedef {{ data: Uint8Array, width: number, height: number }} Raw
 * A page in a photo: its corners from the left top one, clockwise, in pixels.
 * @typedef {{ photo: Raw, corners: readonly (readonly [number, number])[] }} Shot
 */

/** What takes the unit square onto four corners, as rows of a matrix (Heckbert 1989). */
function onto(/** @type {readonly (readonly [number, number])[]} */ corners) {
  const [[px, py], [qx, qy], [rx, ry], [sx, sy]] = /** @type {[[number, number], [number, number], [number, number], [number, number]]} */ (
    corners
  )
  const [dx1, dx2, dx3, dy1, dy2, dy3] = [qx - rx, sx - rx, px - qx + rx - sx, qy - ry, sy - ry, py - qy + ry - sy]
  const whole = dx1 * dy2 - dx2 * dy1
  const [g, h] = [(dx3 * dy2 - dx2 * dy3) / whole, (dx1 * dy3 - dx3 * dy1) / whole]
  return [qx - px + g * qx, sx - px + h * sx, px, qy - py + g * qy, sy - py + h * sy, py, g, h, 1]
}

/** The inverse of a 3×3 matrix but for its scale. */
function inverse(/** @type {readonly number[]} */ m) {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = m
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ]
}

function placed(
  /** @type {readonly number[]} */ [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0],
  /** @type {number} */ x,
  /** @type {number} */ y,
) {
  const w = g * x + h * y + i
  return /** @type {const} */ ([(a * x + b * y + c) / w, (d * x + e * y + f) / w])
}

/** A sample between pixels, or undefined outside. */
function read(/** @type {Raw} */ { data, width, height }, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ c) {
  const [left, top] = [Math.max(0, Math.min(width - 2, Math.floor(x - 0.5))), Math.max(0, Math.min(height - 2, Math.floor(y - 0.5)))]
  const [tx, ty] = [Math.max(0, Math.min(1, x - 0.5 - left)), Math.max(0, Math.min(1, y - 0.5 - top))]
  const from = (top * width + left) * 3 + c
  const upper = (data[from] ?? 0) * (1 - tx) + (data[from + 3] ?? 0) * tx
  const lower = (data[from + width * 3] ?? 0) * (1 - tx) + (data[from + width * 3 + 3] ?? 0) * tx
  return upper * (1 - ty) + lower * ty
}

/** The page as its true corners give it: what a degraded photo is measured on. @returns {Raw} */
export function rectified(
  /** @type {Raw} */ photo,
  /** @type {Shot['corners']} */ corners,
  /** @type {number} */ width,
  /** @type {number} */ height,
) {
  const map = onto(corners)
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = placed(map, (x + 0.5) / width, (y + 0.5) / height)
      for (let c = 0; c < 3; c++) data[(y * width + x) * 3 + c] = Math.round(read(photo, u, v, c))
    }
  return { data, width, height }
}

/** Desks: wood, cloth, stone, or a photo of something. @returns {(x: number, y: number) => readonly [number, number, number]} */
function deskOf(/** @type {() => number} */ random, /** @type {readonly Raw[]} */ photos) {
  const kind = Math.floor(random() * 4)
  const photo = photos[Math.floor(random() * photos.length)]
  const [dark, phase] = [0.55 + 0.5 * random(), random() * 100]
  if (kind === 0)
    return (x, y) => [
      (150 + 26 * Math.sin(y / 9 + 3 * Math.sin(x / 170 + phase))) * dark,
      (105 + 20 * Math.sin(y / 9 + 3 * Math.sin(x / 170 + phase))) * dark,
      70 * dark,
    ]
  if (kind === 1)
    return (x, y) => [(90 + 18 * ((Math.floor(x / 5) + Math.floor(y / 5)) % 2)) * dark, 100 * dark, (125 + 10 * Math.sin(x / 4)) * dark]
  if (kind === 2)
    return (x, y) => {
      const level = (120 + 22 * Math.sin(x / 61 + Math.sin(y / 37)) + 16 * Math.sin(y / 23 + phase)) * dark
      return [level, level, level * 1.04]
    }
  return (x, y) => {
    if (!photo) return [90, 90, 90]
    const at = (Math.floor(y * 0.5) % photo.height) * photo.width * 3 + (Math.floor(x * 0.5) % photo.width) * 3
    return [(photo.data[at] ?? 0) * 0.8 * dark, (photo.data[at + 1] ?? 0) * 0.8 * dark, (photo.data[at + 2] ?? 0) * 0.8 * dark]
  }
}

/** Four corners of a page held before a camera that is turned a little every way. */
function cornersOf(
  /** @type {() => number} */ random,
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {number} */ proportions,
) {
  const turn = (random() - 0.5) * 0.36
  const [tiltX, tiltY] = [(random() - 0.5) * 0.7, (random() - 0.5) * 0.6]
  const focal = 1.1
  const around = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([u = 0, v = 0]) => {
    const [x, y] = [u * 0.5 * proportions, v * 0.5]
    const [rx, ry] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)]
    const z = 1.6 + rx * Math.sin(tiltY) + ry * Math.sin(tiltX)
    return /** @type {const} */ ([(focal * rx * Math.cos(tiltY)) / z, (focal * ry * Math.cos(tiltX)) / z])
  })
  const [xs, ys] = [around.map(([x]) => x), around.map(([, y]) => y)]
  const [wide, high] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)]
  const fill = (0.74 + 0.2 * random()) * Math.min(width / wide, height / high)
  const [roomX, roomY] = [(width - wide * fill) * (0.2 + 0.6 * random()), (height - high * fill) * (0.2 + 0.6 * random())]
  return around.map(([x, y]) => /** @type {const} */ ([(x - Math.min(...xs)) * fill + roomX, (y - Math.min(...ys)) * fill + roomY]))
}

/** A page photographed: askew, on a desk, in uneven light with a shadow across, a little blurred and grainy, as JPEG. @returns {Promise<Shot>} */
export async function photographed(
  /** @type {Raw} */ page,
  /** @type {number} */ seed,
  /** @type {readonly Raw[]} */ photos,
  width = 1500,
  height = 2000,
) {
  const random = seeded(seed * 7919 + 13)
  const corners = cornersOf(random, width, height, page.width / page.height)
  const back = inverse(onto(corners))
  const desk = deskOf(random, photos)
  const noise = gaussian(seed * 31 + 5)
  const [lightX, lightY, base] = [(random() - 0.5) * 0.5, (random() - 0.5) * 0.4, 0.72 + 0.2 * random()]
  const tint = [1, 0.94 + 0.06 * random(), 0.8 + 0.18 * random()]
  const [angle, offset, soft, depth] = [random() * 6.28, (random() - 0.5) * 0.5, 0.01 + 0.09 * random(), 0.3 + 0.3 * random()]
  const grain = 2 + 4 * random()
  const raw = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [fx, fy] = [x / width - 0.5, y / height - 0.5]
      const [u, v] = placed(back, x + 0.5, y + 0.5)
      const isPage = u >= 0 && v >= 0 && u <= 1 && v <= 1
      const shade =
        (base + lightX * fx + lightY * fy) * (1 - depth / (1 + Math.exp(-(fx * Math.cos(angle) + fy * Math.sin(angle) - offset) / soft)))
      const ground = isPage ? undefined : desk(x, y)
      for (let c = 0; c < 3; c++) {
        const level = ground ? (ground[c] ?? 0) : read(page, u * page.width, v * page.height, c) * 0.97
        raw[(y * width + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(level * shade * (tint[c] ?? 1) + grain * noise())))
      }
    }
  const file = await sharp(raw, { raw: { width, height, channels: 3 } })
    .blur(0.6 + 0.5 * random())
    .jpeg({ quality: 80 })
    .toBuffer()
  const data = await sharp(file).removeAlpha().raw().toBuffer()
  return { photo: { data: new Uint8Array(data), width, height }, corners }
}
