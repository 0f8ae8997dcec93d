import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { root, show } from './setup.mjs'

const folder = join(root, 'dist', 'demo')
const width = 2400
const height = 1600

/** Smooth colour with grain, so that it weighs what a photo of its size weighs. */
function samples(/** @type {number} */ channels) {
  const data = Buffer.alloc(width * height * channels)
  let state = 1
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const light = 120 + 60 * Math.sin(x / 180) + 40 * Math.cos(y / 90) + (state >>> 27)
    for (let channel = 0; channel < 3; channel++) data[pixel * channels + channel] = Math.max(0, Math.min(255, light - channel * 24))
    if (channels === 4) data[pixel * channels + 3] = Math.hypot(x - width / 2, y - height / 2) < height / 2.2 ? 255 : 0
  }
  return data
}

const photo = sharp(samples(3), { raw: { width, height, channels: 3 } })
const cutOut = sharp(samples(4), { raw: { width, height, channels: 4 } }).resize(900)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const jpeg = await photo.clone().jpeg({ quality: 92 }).withMetadata({ orientation: 6 }).toBuffer()
writeFileSync(join(folder, '横拍的照片.jpg'), jpeg)
writeFileSync(join(folder, '传输中断的照片.jpg'), jpeg.subarray(0, jpeg.length / 2))
await cutOut.png().toFile(join(folder, '透明商品图.png'))
await photo.clone().resize(1200).webp({ quality: 92 }).toFile(join(folder, '网页配图.webp'))
await photo.clone().resize(200).jpeg().toFile(join(folder, '已经很小.jpg'))

console.log('\n演示：qingtu run / --target-kb 100 --out dist/demo/small dist/demo/*\n')
const names = ['横拍的照片.jpg', '透明商品图.png', '网页配图.webp', '已经很小.jpg', '传输中断的照片.jpg']
const files = names.map((name) => join('dist', 'demo', name))
show(process.execPath, [join('build', 'qingtu.mjs'), 'run', '/', '--target-kb', '100', '--out', join('dist', 'demo', 'small'), ...files])
console.log('\n（最后一个文件是故意弄坏的：坏文件只影响它自己。）')
