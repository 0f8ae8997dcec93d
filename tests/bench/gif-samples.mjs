import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { filesOf, folder } from './measure.mjs'

/** @typedef {{ width: number, height: number, channels: 3 | 4 }} Size */

/** Writes frames as a GIF by libvips; returns its path. */
async function written(
  /** @type {string} */ name,
  /** @type {Buffer[]} */ frames,
  /** @type {Size} */ { width, height, channels },
  options = {},
) {
  const raw = { width, height: height * frames.length, channels, pageHeight: height }
  const delay = frames.map(() => 80)
  const path = join(folder, 'gif', `${name}.gif`)
  writeFileSync(
    path,
    await sharp(Buffer.concat(frames), { raw })
      .gif({ delay, loop: 0, ...options })
      .toBuffer(),
  )
  return path
}

const size = /** @type {const} */ ({ width: 320, height: 200, channels: 3 })

/** A camera that pans over a photo. */
async function pan(/** @type {string} */ name, /** @type {string} */ photo, /** @type {object} */ options) {
  const wide = await sharp(photo).resize(448).png().toBuffer()
  const frames = Array.from({ length: 16 }, (_, at) =>
    sharp(wide)
      .extract({ left: at * 3, top: at % 5, width: size.width, height: size.height })
      .removeAlpha()
      .raw()
      .toBuffer(),
  )
  return written(name, await Promise.all(frames), size, options)
}

/** A fixed camera: a still photo, something that moves in front of it, and grain. */
async function fixed(/** @type {string} */ name, /** @type {string} */ ground, /** @type {string} */ mover, /** @type {number} */ grain) {
  const still = await sharp(ground).resize(size.width, size.height, { fit: 'cover' }).removeAlpha().raw().toBuffer()
  const moving = await sharp(mover).resize(70, 70, { fit: 'cover' }).removeAlpha().raw().toBuffer()
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff - 0.5
  }
  const frames = Array.from({ length: 20 }, (_, at) => {
    const frame = Buffer.from(still)
    for (let y = 0; y < 70; y++) moving.copy(frame, ((y + 30 + at) * size.width + 5 + at * 6) * 3, y * 210, (y + 1) * 210)
    if (grain > 0) for (let i = 0; i < frame.length; i++) frame[i] = Math.max(0, Math.min(255, (frame[i] ?? 0) + random() * grain))
    return frame
  })
  return written(name, frames, size, { reuse: true })
}

/** A screen on which lines are typed and scroll. */
async function screen() {
  const frames = Array.from({ length: 24 }, (_, at) => {
    const lines = Array.from({ length: Math.min(14, at) }, (_line, row) => {
      const text = '轻图 compresses animations to a size, line by line, word by word '.repeat(2).slice(row, row + 56)
      return `<text x="20" y="${60 + row * 18 - Math.max(0, at - 14) * 18}" font-size="13" fill="#222">${text}</text>`
    })
    const bar = '<rect width="480" height="36" fill="url(#g)"/><text x="16" y="24" font-size="16" fill="#fff">Window</text>'
    const gradient =
      '<linearGradient id="g"><stop offset="0" stop-color="#1b62f0"/><stop offset="1" stop-color="#7b2cf0"/></linearGradient>'
    const pointer = `<circle cx="${40 + at * 14}" cy="${200 + 6 * Math.sin(at)}" r="9" fill="#e33"/>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320" font-family="sans-serif"><defs>${gradient}</defs><rect width="480" height="320" fill="#f8f9fb"/>${lines.join('')}${bar}${pointer}</svg>`
    return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer()
  })
  return written('screen', await Promise.all(frames), { width: 480, height: 320, channels: 3 })
}

/** A round photo that turns and walks over nothing. */
async function sprite(/** @type {string} */ photo) {
  const mask = Buffer.from('<svg width="90" height="90"><circle cx="45" cy="45" r="44"/></svg>')
  const disc = await sharp(photo)
    .resize(90, 90, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer()
  const ground = { create: { width: 160, height: 160, channels: /** @type {const} */ (4), background: '#0000' } }
  const frames = Array.from({ length: 18 }, async (_, at) => {
    const turned = await sharp(disc)
      .rotate(at * 20, { background: '#0000' })
      .resize(110, 110, { fit: 'cover' })
      .toBuffer()
    return sharp(ground)
      .composite([{ input: turned, left: 10 + at * 2, top: 20 }])
      .raw()
      .toBuffer()
  })
  return written('sprite', await Promise.all(frames), { width: 160, height: 160, channels: 4 })
}

/** Animations of the usual kinds, made from photos; their paths. */
export async function animationSamples() {
  mkdirSync(join(folder, 'gif'), { recursive: true })
  const [a = '', b = '', c = '', d = ''] = filesOf('kodak').toSorted()
  return [
    await pan('pan-dithered', a, { dither: 1 }),
    await pan('pan-plain', b, { dither: 0 }),
    await fixed('fixed-clean', c, b, 0),
    await fixed('fixed-grainy', d, b, 16),
    await screen(),
    await sprite(b),
  ]
}
