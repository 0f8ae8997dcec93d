import css from './turned-picture.module.css'
import { quarterTurned, turnedSize, type Turning } from '#shared/crop'
import type { Size } from '#shared/resize'

interface Props {
  readonly url: string
  /** The picture's own size, upright. */
  readonly size: Size
  readonly turning: Turning
}

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`

/** A picture as it looks turned, mirrored and straightened, filling the canvas that needs. Drawn by the browser in the engine's order. */
export function TurnedPicture({ url, size, turning }: Props) {
  const { rotate, flip, straighten } = turning
  const canvas = turnedSize(size, turning)
  const upright = quarterTurned(size, rotate)
  const isUpended = upright.width !== size.width || upright.height !== size.height
  const across = flip === 'horizontal' || flip === 'both' ? -1 : 1
  const down = flip === 'vertical' || flip === 'both' ? -1 : 1
  return (
    <span
      className={css['upright']}
      style={{
        width: percent(upright.width, canvas.width),
        height: percent(upright.height, canvas.height),
        transform: `translate(-50%, -50%) rotate(${straighten}deg) scale(${across}, ${down})`,
      }}
    >
      <img
        src={url}
        alt=""
        draggable={false}
        style={{
          // An upended picture is as wide as its place is high.
          width: isUpended ? percent(upright.height, upright.width) : '100%',
          height: isUpended ? percent(upright.width, upright.height) : '100%',
          transform: `translate(-50%, -50%) rotate(${rotate}deg)`,
        }}
      />
    </span>
  )
}
