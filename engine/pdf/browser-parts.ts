/*
 * What pdf.js wants of a browser before it is loaded. Its painting, which is never asked for here, uses the first three. The decoder of a browser
 * gets each plain JPEG as the file holds it (RGB, no mask, no odd range, colours not calibrated): ours hands it on as it is.
 */
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) if (!(name in globalThis)) Reflect.set(globalThis, name, function unused() {})

class JpegKeeper {
  readonly #data: Uint8Array
  static isTypeSupported(type: string): Promise<boolean> {
    return Promise.resolve(type === 'image/jpeg')
  }

  constructor({ data }: { data: Uint8Array }) {
    this.#data = data
  }

  decode(): Promise<{ image: ArrayBuffer }> {
    // A copy of its own, since pdf.js hands a picture over and keeps the stream.
    return Promise.resolve({ image: new Uint8Array(this.#data).buffer })
  }

  close(): void {}
}
Reflect.set(globalThis, 'ImageDecoder', JpegKeeper)

/** pdf.js hands fonts to the browser, or else draws each glyph of them, whether anybody asks or not: here they go nowhere. */
Reflect.set(
  globalThis,
  'FontFace',
  class {
    readonly loaded = Promise.resolve()
  },
)

/** The document whose fonts they are. */
export const fontTaker = { fonts: new Set<unknown>() }

/** The JPEG of a picture that was kept as it is, or undefined. */
export function keptJpeg(value: unknown): Buffer | undefined {
  const bitmap: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'bitmap') : undefined
  return bitmap instanceof ArrayBuffer ? Buffer.from(bitmap) : undefined
}

/** Lets go of kept JPEGs: pdf.js would close them as a browser's bitmaps, which they are not. */
export function releaseJpegs(objects: Iterable<unknown>): void {
  for (const entry of objects) {
    const value: unknown = Array.isArray(entry) ? entry[1] : undefined
    if (keptJpeg(value) && typeof value === 'object' && value !== null) Reflect.deleteProperty(value, 'bitmap')
  }
}
