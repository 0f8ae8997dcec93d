import { compile } from './compile.mjs'
import { ensureDebian, ensurePackages } from './setup.mjs'
import { inTurn } from './turn.mjs'

/** What each benchmark compares with beside packages: Debian's programs, as `command: packages`. */
const peers = {
  compress: { convert: 'imagemagick', jpegoptim: 'jpegoptim', pngquant: 'pngquant' },
  convert: {},
  gif: { gifsicle: 'gifsicle' },
  formats: { convert: 'imagemagick' },
  cutout: {},
  ocr: {},
  documents: {
    soffice: 'libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw',
    pdftoppm: 'poppler-utils',
    // Without it poppler reads no Chinese of fonts that aren't embedded, and the references would be empty.
    '/usr/share/poppler/cMap': 'poppler-data',
    // Word's own Calibri and Cambria by their measures: without them a document's lines break elsewhere, and pages are added.
    '/usr/share/fonts/truetype/crosextra': 'fonts-crosextra-carlito fonts-crosextra-caladea',
    python3: 'python3-numpy python3-pil',
    tesseract: 'tesseract-ocr tesseract-ocr-chi-sim',
  },
  large: {},
  effects: { tesseract: 'tesseract-ocr tesseract-ocr-chi-sim' },
}

const [, , subject = '', ...words] = process.argv
if (!Object.hasOwn(peers, subject)) {
  console.error(`usage: node build/bench.mjs ${Object.keys(peers).join(' | ')}`)
  process.exit(2)
}
ensurePackages()
await inTurn(compile)
const present = ensureDebian(peers[/** @type {keyof typeof peers} */ (subject)])
const { bench } = await import(`../tests/bench/${subject}.mjs`)
await bench(present, words)
