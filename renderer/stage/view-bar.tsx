import { Columns2, Minus, Plus } from 'lucide-react'
import type { StageView } from './use-stage-view.ts'
import css from './view-bar.module.css'
import { zooms } from '../ui/compare-geometry.ts'

interface Props {
  readonly view: StageView
  readonly isComparing: boolean
  readonly onCompare: (isOn: boolean) => void
}

const STEP = 1.5

/** How large the picture is shown, and whether beside its original. */
export function ViewBar({ view: { shownZoom, isFit, zoomTo }, isComparing, onCompare }: Props) {
  return (
    <div className={css['bar']} role="group" aria-label="显示">
      <button type="button" aria-label="缩小" title="缩小（滚轮）" disabled={isFit} onClick={() => zoomTo(shownZoom / STEP)}>
        <Minus size={16} aria-hidden />
      </button>
      <output aria-label="显示比例">{Math.round(shownZoom * 100)}%</output>
      <button type="button" aria-label="放大" title="放大（滚轮）" onClick={() => zoomTo(shownZoom * STEP)}>
        <Plus size={16} aria-hidden />
      </button>
      {zooms.map(({ zoom, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={zoom === 'fit' ? isFit : !isFit && Math.abs(shownZoom - zoom) < 0.005}
          onClick={() => zoomTo(zoom)}
        >
          {label}
        </button>
      ))}
      <button type="button" className={css['compare']} aria-pressed={isComparing} onClick={() => onCompare(!isComparing)}>
        <Columns2 size={16} aria-hidden />
        对比原图
      </button>
    </div>
  )
}
