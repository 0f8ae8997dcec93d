import { unzipSync } from 'fflate'
import { parseXml, every, type XmlElement } from './xml.ts'

/** All parts together, unpacked: beyond it a package is a bomb, not a document. */
const MAX_UNPACKED = 300 * 1024 ** 2

/** A result that is a package of parts, as all office formats are. */
export interface OfficePackage {
  /** A part as elements; undefined where it is not there. */
  readonly xml: (path: string) => XmlElement | undefined
  /** A picture's part as it lies there. */
  readonly file: (path: string) => Blob | undefined
  /** The paths of the parts that a part names, by the ids it names them with. */
  readonly relations: (path: string) => ReadonlyMap<string, string>
  readonly paths: readonly string[]
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
}

/** A path as another part says it. */
export function resolved(from: string, target: string): string {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') parts.pop()
    else if (step !== '' && step !== '.') parts.push(step)
  }
  return parts.join('/')
}

/** Opens a package. Throws for what is none, or unpacks to too much. */
export function openPackage(bytes: Uint8Array): OfficePackage {
  let sum = 0
  const parts = unzipSync(bytes, {
    filter: ({ originalSize }) => {
      sum += originalSize
      if (sum > MAX_UNPACKED) throw new RangeError('unpacks to too much')
      return true
    },
  })
  const read = (path: string): Uint8Array | undefined => (Object.hasOwn(parts, path) ? parts[path] : undefined)
  const xml = (path: string): XmlElement | undefined => {
    const part = read(path)
    return part && parseXml(new TextDecoder().decode(part))
  }
  return {
    xml,
    file(path) {
      const part = read(path)
      const type = types[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
      return part && type !== undefined ? new Blob([part.slice()], { type }) : undefined
    },
    relations(path) {
      const slash = path.lastIndexOf('/') + 1
      const root = xml(`${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`)
      const all = root ? [...every(root, 'Relationship')] : []
      return new Map(
        all.flatMap(({ attributes: { Id = '', Target = '', TargetMode } }): [string, string][] =>
          TargetMode === 'External' ? [] : [[Id, resolved(path, Target)]],
        ),
      )
    },
    paths: Object.keys(parts),
  }
}
