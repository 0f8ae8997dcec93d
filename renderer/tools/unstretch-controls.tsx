import { useId } from 'react'
import controls from './crop-controls.module.css'
import css from './unstretch-editor.module.css'
import { hasRatio, LEAST, MOST, widened, widthFor, type WidthDraft } from './unstretch-draft.ts'
import { NumberBox } from '../ui/number-box.tsx'
import type { Size } from '#shared/resize'

interface Props {
  readonly source: Size
  readonly draft: WidthDraft
  readonly hasCircle: boolean
  readonly onChange: (draft: WidthDraft) => void
  readonly onCircle: (hasCircle: boolean) => void
}

const ratios = [
  ['16:9', 16 / 9],
  ['4:3', 4 / 3],
  ['3:2', 3 / 2],
  ['1:1', 1],
  ['2:3', 2 / 3],
  ['3:4', 3 / 4],
  ['9:16', 9 / 16],
] as const

/** Where the slider goes; beyond that a number is typed. */
const [SLIDE_LEAST, SLIDE_MOST] = [50, 200]

/** Width, proportions and manner of a picture's stretching, beside it. */
export function UnstretchControls({ source, draft, hasCircle, onChange, onCircle }: Props) {
  const id = useId()
  const { width, isAuto, method } = draft
  return (
    <div className={controls['controls']}>
      <div>
        <label className={controls['label']} htmlFor={id}>
          宽度改为
          <span>{isAuto ? '自动检测' : `${Math.round((source.width * width) / 100)}×${source.height} px`}</span>
        </label>
        <div className={controls['straighten']}>
          <input
            id={id}
            type="range"
            min={SLIDE_LEAST}
            max={SLIDE_MOST}
            step={0.1}
            value={Math.min(SLIDE_MOST, Math.max(SLIDE_LEAST, width))}
            aria-valuetext={`宽度 ${width.toFixed(1)}%`}
            onChange={({ target }) => onChange(widened(draft, Number(target.value)))}
          />
          <button type="button" aria-pressed={isAuto} onClick={() => onChange({ ...draft, width: 100, isAuto: true })}>
            自动
          </button>
        </div>
      </div>
      <div className={controls['pairs']}>
        <NumberBox
          label="宽度"
          unit="%"
          value={width}
          least={LEAST}
          most={MOST}
          step={0.1}
          onChange={(value) => onChange(widened(draft, value))}
        />
      </div>
      <div role="group" aria-label="常用比例">
        <p className={controls['label']}>常用比例</p>
        <div className={controls['ratios']}>
          {ratios.map(([label, ratio]) => (
            <button
              key={label}
              type="button"
              aria-pressed={hasRatio(draft, ratio, source)}
              onClick={() => onChange(widened(draft, widthFor(ratio, source)))}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <div role="group" aria-label="方式">
        <p className={controls['label']}>方式</p>
        <div className={css['methods']}>
          <button type="button" aria-pressed={method === 'resize'} onClick={() => onChange({ ...draft, method: 'resize' })}>
            整体缩放
          </button>
          <button type="button" aria-pressed={method === 'seams'} onClick={() => onChange({ ...draft, method: 'seams' })}>
            智能缩放
          </button>
        </div>
        {method === 'seams' && <p className={css['hint']}>人物和主体不变形，由背景让出空间；此处预览为整体缩放。</p>}
      </div>
      <label className={css['check']}>
        <input type="checkbox" checked={hasCircle} onChange={({ target }) => onCircle(target.checked)} />
        圆形参照：拖到应为圆形的物体上比对
      </label>
    </div>
  )
}
