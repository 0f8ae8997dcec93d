import { pipelineOf, type Pixels } from '#engine/image/pixels'

interface Elheif {
  onRuntimeInitialized: () => void
  jsEncodeImage(rgba: Uint8Array, width: number, height: number): { readonly err: string; readonly data: Uint8Array }
}

let ready: Promise<Elheif> | undefined

const load = (): Promise<Elheif> =>
  (ready ??= import('elheif/pkg/elheif-wasm.js').then(
    () =>
      new Promise((resolve, reject) => {
        const start: unknown = Reflect.get(globalThis, '__init__ELHEIF_MODULE')
        if (typeof start !== 'function') throw new Error('elheif left no factory')
        // The factory fills the object it is given; its functions are there once it calls back.
        const module = { onRuntimeInitialized: () => resolve(module), onAbort: reject } as unknown as Elheif
        start(module)
      }),
  ))

/**
 * A HEIC file by kvazaar and libheif (WebAssembly), 8 bits, 4:2:0. The library offers no quality and carries no metadata;
 * its fixed setting measured some 35 dB (about JPEG 80).
 */
export async function writeHeic(pixels: Pixels): Promise<Buffer> {
  const { width, height } = pixels
  const rgba = await pipelineOf(pixels).toColourspace('srgb').ensureAlpha().raw().toBuffer()
  const elheif = await load()
  const { err, data } = elheif.jsEncodeImage(rgba, width, height)
  if (err !== '') throw new Error(`elheif: ${err}`)
  return Buffer.from(data)
}
