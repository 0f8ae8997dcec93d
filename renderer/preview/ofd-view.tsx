import { fontFamily } from './fonts.ts'
import css from './ofd-view.module.css'
import type { PictureAddresses } from './pictures.ts'
import type { OfdPage, OfdThing } from './read-ofd.ts'

function ThingView({ thing, pictures }: { readonly thing: OfdThing; readonly pictures: PictureAddresses }) {
  const { matrix } = thing
  switch (thing.kind) {
    case 'text':
      return (
        <text
          transform={matrix}
          x={thing.xs.join(' ')}
          y={thing.ys.join(' ')}
          fontSize={thing.size}
          fontFamily={fontFamily([thing.font])}
          fontWeight={thing.isBold ? 700 : 400}
          fill={thing.colour}
          xmlSpace="preserve"
        >
          {thing.text}
        </text>
      )
    case 'path':
      return (
        <path
          transform={matrix}
          d={thing.data}
          fill={thing.fill ?? 'none'}
          fillRule={thing.isEvenOdd ? 'evenodd' : 'nonzero'}
          stroke={thing.stroke ?? 'none'}
          strokeWidth={thing.width}
        />
      )
    case 'picture':
      return <image transform={matrix} href={pictures.of(thing.path)} width={1} height={1} preserveAspectRatio="none" />
  }
}

/** A page of an OFD as wide as its place. */
export function OfdPageView({
  page: { width, height, things },
  at,
  pictures,
}: {
  readonly page: OfdPage
  readonly at: number
  readonly pictures: PictureAddresses
}) {
  return (
    <svg className={css['page']} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`第 ${at + 1} 页`}>
      {things.map((thing, n) => (
        <ThingView key={n} thing={thing} pictures={pictures} />
      ))}
    </svg>
  )
}
