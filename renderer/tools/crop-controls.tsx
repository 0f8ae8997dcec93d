import { FlipHorizontal2, FlipVertical2, RotateCcw, RotateCw } from 'lucide-react'
import { useId } from 'react'
import { boundsOf, changed, flipped, turned, typedBox, type CropDraft } from './crop-draft.ts'
import css from './crop-controls.module.css'
import { NumberBox } from '../ui/number-box.tsx'
import type { Box } from '../ui/crop-geometry.ts'
import type { CropRatio } from '#shared/crop'
import type { Size } from '#shared/resize'
import { cropImage } from '#shared/tools/crop-image'

interface Props {
  readonly source: Size
  readonly draft: CropDraft
  readonly onChange: (draft: CropDraft) => void
}

/** Proportions, numbers and turns of a crop, beside its picture. */
export function CropControls(props: Props) {
  return (
    <div className={css['controls']}>
      <Ratios {...props} />
      <Numbers {...props} />
      <Turns {...props} />
      <Straighten {...props} />
    </div>
  )
}

const ratios: readonly { readonly value: CropRatio; readonly label: string }[] = [
  { value: 'free', label: '自由' },
  { value: 'original', label: '原图' },
  ...(['1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3'] as const).map((value) => ({ value, label: value })),
]

function Ratios({ source, draft, onChange }: Props) {
  const { ratio, circle } = draft
  return (
    <div role="group" aria-label="比例">
      <p className={css['label']}>比例</p>
      <div className={css['ratios']}>
        {ratios.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={!circle && value === ratio}
            onClick={() => onChange(changed(source, draft, { ratio: value, circle: false }))}
          >
            {label}
          </button>
        ))}
        <button type="button" aria-pressed={circle} onClick={() => onChange(changed(source, draft, { ratio: 'free', circle: !circle }))}>
          圆形
        </button>
      </div>
    </div>
  )
}

const sides: readonly { readonly key: keyof Box; readonly label: string; readonly least: number }[] = [
  { key: 'width', label: '宽', least: 1 },
  { key: 'height', label: '高', least: 1 },
  { key: 'left', label: '左边距', least: 0 },
  { key: 'top', label: '上边距', least: 0 },
]

function Numbers({ source, draft, onChange }: Props) {
  const bounds = boundsOf(source, draft)
  const { width, height } = bounds.picture
  const most = { width, height, left: width - 1, top: height - 1 }
  return (
    <div role="group" aria-label="裁剪范围">
      <p className={css['label']}>
        裁剪范围
        <span>
          {width}×{height} px 之内
        </span>
      </p>
      <div className={css['pairs']}>
        {sides.map(({ key, label, least }) => (
          <NumberBox
            key={key}
            label={label}
            unit="px"
            value={draft.box[key]}
            least={least}
            most={most[key]}
            step={1}
            onChange={(value) => onChange({ ...draft, box: typedBox(draft.box, key, value, bounds) })}
          />
        ))}
      </div>
    </div>
  )
}

function Turns({ source, draft, onChange }: Props) {
  return (
    <div role="group" aria-label="旋转和翻转">
      <p className={css['label']}>旋转和翻转</p>
      <div className={css['turns']}>
        <button type="button" onClick={() => onChange(turned(source, draft, 'left'))}>
          <RotateCcw size={18} aria-hidden />
          左转
        </button>
        <button type="button" onClick={() => onChange(turned(source, draft, 'right'))}>
          <RotateCw size={18} aria-hidden />
          右转
        </button>
        <button type="button" onClick={() => onChange(flipped(source, draft, 'horizontal'))}>
          <FlipVertical2 size={18} aria-hidden />
          左右翻转
        </button>
        <button type="button" onClick={() => onChange(flipped(source, draft, 'vertical'))}>
          <FlipHorizontal2 size={18} aria-hidden />
          上下翻转
        </button>
      </div>
    </div>
  )
}

const { min, max } = cropImage.options.straighten.view.kind === 'number' ? cropImage.options.straighten.view : { min: 0, max: 0 }

function Straighten({ source, draft, onChange }: Props) {
  const id = useId()
  const set = (straighten: number): void => onChange(changed(source, draft, { straighten }))
  return (
    <div>
      <label className={css['label']} htmlFor={id}>
        拉直
        <span>{draft.straighten.toFixed(1)}°</span>
      </label>
      <div className={css['straighten']}>
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={0.1}
          value={draft.straighten}
          aria-valuetext={`${draft.straighten.toFixed(1)} 度`}
          onChange={({ target }) => set(Number(target.value))}
        />
        <button type="button" onClick={() => set(0)}>
          归零
        </button>
      </div>
    </div>
  )
}
