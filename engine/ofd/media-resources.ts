import { readFileSync } from 'node:fs'
import { element } from '../office/xml.ts'
import type { StoredPicture } from '../pdf/page-model.ts'
import type { PaintedPicture } from '../pdf/painted.ts'
import type { Bounds } from '../pdf/outline.ts'
import type { ZipFile } from '../zip-file.ts'
import { alphaOf } from './ink-xml.ts'
import { boxOf, clipsXml, cutBy } from './path-xml.ts'
import { inMm, written } from './units.ts'

/** The pictures of a package: each is there once, however many pages show it. */
export class MediaResources {
  readonly #zip: ZipFile
  readonly #folder: string
  readonly #nextId: () => number
  readonly #ids = new Map<string, number>()
  readonly #elements: string[] = []

  constructor(zip: ZipFile, folder: string, nextId: () => number) {
    this.#zip = zip
    this.#folder = folder
    this.#nextId = nextId
  }

  #idOf({ path, format }: StoredPicture): number {
    const known = this.#ids.get(path)
    if (known !== undefined) return known
    const id = this.#nextId()
    const file = `image_${id}.${format === 'jpeg' ? 'jpg' : 'png'}`
    this.#ids.set(path, id)
    this.#zip.stored(`${this.#folder}/${file}`, readFileSync(path))
    this.#elements.push(
      element('ofd:MultiMedia', { ID: id, Type: 'Image', Format: format.toUpperCase() }, element('ofd:MediaFile', {}, file)),
    )
    return id
  }

  /** A picture as an object of a page; undefined where nothing of it is seen. */
  object({ image, opacity, clip }: PaintedPicture): string | undefined {
    const bounds: Bounds = [image.left, image.top, image.right, image.bottom]
    const cut = cutBy(clip, bounds)
    if (!image.picture || cut === 'gone') return undefined
    const alpha = alphaOf(opacity)
    const [width, height] = [inMm(image.right - image.left), inMm(image.bottom - image.top)]
    const resource = this.#idOf(image.picture)
    return element(
      'ofd:ImageObject',
      {
        ID: this.#nextId(),
        Boundary: boxOf(bounds),
        CTM: `${written(width)} 0 0 ${written(height)} 0 0`,
        Alpha: alpha === 255 ? undefined : alpha,
        ResourceID: resource,
      },
      cut === 'cut' ? clipsXml(clip, bounds) : undefined,
    )
  }

  /** All of them as a part of the resources; undefined where there are none. */
  xml(): string | undefined {
    return this.#elements.length > 0 ? element('ofd:MultiMedias', {}, ...this.#elements) : undefined
  }
}
