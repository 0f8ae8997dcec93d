import { hasLocation, uprightExif, withoutLocation, xmpWithoutLocation } from './exif.ts'
import type { Picture } from './open.ts'
import type { Carried } from './raster.ts'

/** What a person wants kept of what a picture says besides its pixels. */
export interface Keeping {
  /** EXIF and XMP: camera, time, settings, author. */
  readonly metadata: boolean
  /** Where it was taken, as part of the metadata. */
  readonly location: boolean
  /** The colour profile, with the samples left in it. */
  readonly profile: boolean
}

/** Whether a file holds metadata that is not to be kept, so that it can't be passed on as it is. */
export function hasUnwanted({ metadata: { exif, xmp, iptc, icc } }: Picture, { metadata, location, profile }: Keeping): boolean {
  if (!profile && icc) return true
  if (!metadata) return (exif ?? xmp ?? iptc) !== undefined
  if (location) return false
  return (exif !== undefined && hasLocation(exif)) || (xmp !== undefined && !xmpWithoutLocation(xmp).equals(xmp)) || iptc !== undefined
}

/** What is kept of what a picture carries, its orientation already applied; a profile only where the samples are in its colours. */
export function carriedFrom({ metadata }: Picture, keeping: Keeping): Carried {
  const { exif, xmp, icc, space } = metadata
  const keptExif = keeping.metadata && exif ? uprightExif(exif) : undefined
  const placed = keptExif && (keeping.location ? keptExif : withoutLocation(keptExif))
  const keptXmp = keeping.metadata && xmp ? (keeping.location ? xmp : xmpWithoutLocation(xmp)) : undefined
  const isRgb = icc?.toString('latin1', 16, 20) === 'RGB '
  const keptIcc = keeping.profile && isRgb && space !== 'cmyk' ? icc : undefined
  return { ...(placed && { exif: placed }), ...(keptXmp && { xmp: keptXmp }), ...(keptIcc && { icc: keptIcc }) }
}
