import { atom, useAtomValue } from 'jotai'
import { listAtom, perPage, thumbnailAtom, type Thumbnail } from '../state/rows.ts'
import type { Options } from '../state/settings.ts'
import { planResize } from '#shared/resize'

/** The only picture of a page; undefined where there is none or there are more. */
const onlyPictureAtom = perPage((page) =>
  atom((get): Thumbnail | undefined => {
    const [id, ...others] = get(listAtom(page))
    return id === undefined || others.length > 0 ? undefined : get(thumbnailAtom(id))
  }),
)

const isSide = (value: unknown): value is number => typeof value === 'number' && value >= 1

/** The side that follows from the given one, for the form's empty field; nothing where it depends on the picture. */
export function useOtherSide(path: string, options: Options): Readonly<Record<string, string>> {
  const picture = useAtomValue(onlyPictureAtom(path))
  const { width, height, keepRatio, enlarge } = options
  if (picture?.kind !== 'picture' || picture.width === 0 || keepRatio !== true || isSide(width) === isSide(height)) return {}
  const size = planResize(picture, {
    ...(isSide(width) ? { width } : isSide(height) && { height }),
    keepRatio,
    fit: 'inside',
    enlarge: enlarge === true,
    background: 'transparent',
  })
  return isSide(width) ? { height: String(size.height) } : { width: String(size.width) }
}
