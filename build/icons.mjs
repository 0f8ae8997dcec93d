import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensurePackages, root } from './setup.mjs'
import { inTurn } from './turn.mjs'

/** Where electron-builder looks for pictures of the program and its installer. */
const folder = join(root, 'build')
/** Sides Windows asks for at 100 % to 400 %, from the title bar to large tiles. */
export const iconSizes = [16, 20, 24, 32, 40, 48, 64, 96, 128, 256]
/** The installer's own pictures, in pixels: NSIS takes no other sizes. */
const HEADER = { width: 150, height: 57, icon: 45, left: 97, top: 6 }
const SIDEBAR = { width: 164, height: 314, icon: 96, left: 34, top: 84 }

const svg = readFileSync(join(root, 'renderer/public/icon.svg'))

/** The icon drawn at a size in pixels. */
const icon = async (/** @type {number} */ sizePx) => {
  const { default: sharp } = await import('sharp')
  return sharp(svg, { density: (72 * sizePx) / 28 }).resize(sizePx, sizePx)
}

/** A picture of the installer's: the icon on white, as NSIS reads it. */
async function installerPicture(/** @type {typeof HEADER} */ { width, height, icon: sizePx, left, top }) {
  const [{ default: sharp }, { writeBmp }, { samplesOf }] = await Promise.all([
    import('sharp'),
    import('#engine/codecs/bmp/write-bmp'),
    import('#engine/image/pixels'),
  ])
  const drawn = await (await icon(sizePx)).png().toBuffer()
  const paper = sharp({ create: { width, height, channels: 3, background: '#fff' } }).composite([{ input: drawn, left, top }])
  // Composed as it is written out, since taking a channel away comes before laying one over another.
  return writeBmp(await samplesOf(sharp(await paper.png().toBuffer()).removeAlpha()))
}

/** All pictures of the program and its installer, by file name: made from the page's icon, the same bytes every time. */
export async function pictures() {
  const [{ writeIco }, { samplesOf }] = await Promise.all([import('#engine/codecs/ico/write-ico'), import('#engine/image/pixels')])
  const large = await icon(1024)
  return {
    'icon.ico': await writeIco(await samplesOf(large.clone().ensureAlpha()), iconSizes),
    'icon.png': await (await icon(512)).png({ compressionLevel: 9 }).toBuffer(),
    'installerHeader.bmp': await installerPicture(HEADER),
    'installerSidebar.bmp': await installerPicture(SIDEBAR),
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensurePackages()
  const { compile } = await import('./compile.mjs')
  await inTurn(compile)
  for (const [name, bytes] of Object.entries(await pictures())) {
    writeFileSync(join(folder, name), bytes)
    console.log(`build/${name} ${bytes.length}`)
  }
}
