import type { Box } from '../box.ts'
import { orientationOf, type DrawnImage } from './drawn-image.ts'

/** Pictures that tile a rectangle: one, or several one under the other or side by side. */
export type Tiling =
  | { readonly kind: 'one'; readonly image: DrawnImage; readonly box: Box }
  | { readonly kind: 'down' | 'across'; readonly parts: readonly [Tiling, ...Tiling[]]; readonly box: Box }

/** How far apart the sides of neighbours may lie, in points. */
const SEAM = 0.4

const first = (tiling: Tiling): DrawnImage => (tiling.kind === 'one' ? tiling.image : first(tiling.parts[0]))

/** Only what is looked at alike is joined: upright, unclipped pictures of one opacity and kind. */
function lookOf(image: DrawnImage): string | undefined {
  const way = orientationOf(image)
  if (!way || way.isTransposed || way.isMirrored || way.isUpsideDown) return undefined
  return [image.opacity, image.colour, Object.values(image.clip).map(Math.round)].join(' ')
}

const across = { kind: 'across', sides: ['top', 'bottom'], from: 'left', to: 'right' } as const
const down = { kind: 'down', sides: ['left', 'right'], from: 'top', to: 'bottom' } as const

/** Joins neighbours along one axis; each join stands where its first part stood. */
function joined(tilings: readonly Tiling[], { kind, sides: [one, other], from, to }: typeof across | typeof down): Tiling[] {
  const order = new Map(tilings.map((tiling, at) => [tiling, at]))
  const chains: [Tiling, ...Tiling[]][] = []
  const open = new Map<string, [Tiling, ...Tiling[]][]>()
  for (const tiling of tilings.toSorted((a, b) => a.box[from] - b.box[from])) {
    const look = lookOf(first(tiling))
    const key = `${look} ${Math.round(tiling.box[one])} ${Math.round(tiling.box[other])}`
    const before = open.get(key)?.find((chain) => Math.abs((chain.at(-1)?.box[to] ?? Infinity) - tiling.box[from]) <= SEAM)
    if (look !== undefined && before) {
      before.push(tiling)
      continue
    }
    const chain: [Tiling, ...Tiling[]] = [tiling]
    chains.push(chain)
    open.set(key, [...(open.get(key) ?? []), chain])
  }
  const place = (chain: readonly Tiling[]): number => Math.min(...chain.map((tiling) => order.get(tiling) ?? 0))
  return chains
    .toSorted((a, b) => place(a) - place(b))
    .map((chain) => (chain.length === 1 ? chain[0] : { kind, parts: chain, box: { ...chain[0].box, [to]: chain.at(-1)?.box[to] ?? 0 } }))
}

/** What pictures of a page are parts of one: a scan that was cut into strips or tiles. */
export function tilingsOf(images: readonly DrawnImage[]): readonly Tiling[] {
  const alone = images.map((image): Tiling => ({ kind: 'one', image, box: image.place }))
  return joined(joined(alone, across), down)
}
