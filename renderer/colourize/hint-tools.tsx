import { Brush as BrushIcon, Eraser, Hand, Pipette, Redo2, Undo2 } from 'lucide-react'
import { palette } from './hint-strokes.ts'
import { placeOf, sizeAt } from '../cut-out/brush.ts'
import brushCss from '../cut-out/brush-tools.module.css'
import css from './hint-tools.module.css'
import { SliderBox } from '../ui/slider-box.tsx'
import type { Hint } from '#shared/hints'

/** What the hand on the photo does. */
export type HintTool = 'paint' | 'erase' | 'pick' | 'move'

/** What the next stroke is painted with. */
export type HintBrush = Pick<Hint, 'colour' | 'size'>

interface Props {
  readonly tool: HintTool
  readonly brush: HintBrush
  /** The photo's longer side, in pixels. */
  readonly longerSide: number
  readonly onTool: (tool: HintTool) => void
  readonly onBrush: (brush: HintBrush) => void
  /** Undefined where there is nothing to take back, or to do again. */
  readonly onUndo: (() => void) | undefined
  readonly onRedo: (() => void) | undefined
}

const tools = [
  { tool: 'paint', label: '上色', title: '在要改颜色的地方涂几笔', Icon: BrushIcon },
  { tool: 'erase', label: '擦除', title: '点一笔，去掉它', Icon: Eraser },
  { tool: 'pick', label: '吸色', title: '从照片上取一个颜色', Icon: Pipette },
  { tool: 'move', label: '移动', title: '移动画面（按住空格）', Icon: Hand },
] as const

/** What is painted with, and what was painted taken back. */
export function HintTools({ tool, brush, longerSide, onTool, onBrush, onUndo, onRedo }: Props) {
  return (
    <div className={brushCss['tools']} role="group" aria-label="画笔">
      <div className={brushCss['kinds']} role="group" aria-label="工具">
        {tools.map(({ tool: one, label, title, Icon }) => (
          <button key={one} type="button" title={title} aria-pressed={tool === one} onClick={() => onTool(one)}>
            <Icon size={18} aria-hidden />
            {label}
          </button>
        ))}
      </div>
      <div className={brushCss['sliders']}>
        <SliderBox
          label="笔刷大小"
          text={`${Math.max(1, Math.round(brush.size * longerSide))} px`}
          value={placeOf(brush.size)}
          least={0}
          most={100}
          step={1}
          onChange={(place) => onBrush({ ...brush, size: sizeAt(place) })}
        />
      </div>
      <div className={brushCss['turns']}>
        <button type="button" title="撤销（Ctrl+Z）" aria-disabled={onUndo === undefined} onClick={onUndo}>
          <Undo2 size={18} aria-hidden />
          撤销
        </button>
        <button type="button" title="重做（Ctrl+Y）" aria-disabled={onRedo === undefined} onClick={onRedo}>
          <Redo2 size={18} aria-hidden />
          重做
        </button>
      </div>
    </div>
  )
}

interface PaletteProps {
  readonly colour: string
  readonly onColour: (colour: string) => void
}

/** Colours to paint with: those of usual things, and any other. */
export function Palette({ colour, onColour }: PaletteProps) {
  return (
    <div className={css['palette']}>
      {palette.map(({ label, colours }) => (
        <div key={label} role="group" aria-label={label}>
          <p>{label}</p>
          <div className={css['swatches']}>
            {colours.map(([name, one]) => (
              <button key={one} type="button" title={name} aria-label={name} aria-pressed={one === colour} onClick={() => onColour(one)}>
                <i style={{ background: one }} />
                {name}
              </button>
            ))}
          </div>
        </div>
      ))}
      <label className={css['own']}>
        自定义颜色
        <input type="color" value={colour} onChange={({ target }) => onColour(target.value)} />
      </label>
    </div>
  )
}
