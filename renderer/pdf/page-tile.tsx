import type { MouseEvent } from 'react'
import { Check, FileWarning, Maximize2 } from 'lucide-react'
import type { PagePictures } from './page-pictures.ts'
import css from './page-tiles.module.css'
import { usePagePicture } from './use-pdf.ts'

interface Props {
  readonly pictures: PagePictures
  readonly page: number
  readonly isChosen: boolean
  /** Whether Tab leads here; keys lead on from here. */
  readonly isReached: boolean
  readonly onPress: (event: MouseEvent) => void
  readonly onEnlarge: () => void
}

/** One page: a press chooses it, and it can be looked at more closely. */
export function PageTile({ pictures, page, isChosen, isReached, onPress, onEnlarge }: Props) {
  const picture = usePagePicture(pictures, page)
  const tabIndex = isReached ? 0 : -1
  return (
    <div className={css['tile']}>
      <button
        type="button"
        className={css['page']}
        data-page={page}
        aria-pressed={isChosen}
        aria-label={`第 ${page} 页`}
        title="点击选择，按住 Shift 连选"
        tabIndex={tabIndex}
        onClick={onPress}
      >
        <span className={css['paper']}>
          {picture === 'failed' ? (
            <FileWarning size={20} aria-label="此页无法预览" />
          ) : (
            picture && <img src={picture.url} alt="" draggable={false} />
          )}
        </span>
        <span className={css['number']} aria-hidden>
          {page}
        </span>
        {isChosen && (
          <span className={css['mark']} aria-hidden>
            <Check size={14} strokeWidth={3} />
          </span>
        )}
      </button>
      <button
        type="button"
        className={css['enlarge']}
        aria-label={`放大第 ${page} 页`}
        title="放大（Enter）"
        tabIndex={tabIndex}
        onClick={onEnlarge}
      >
        <Maximize2 size={14} aria-hidden />
      </button>
    </div>
  )
}
