import { Brush as BrushIcon, Eraser, Hand, Redo2, Undo2 } from 'lucide-react'
import { placeOf, sizeAt, type Brush } from './brush.ts'
import css from './brush-tools.module.css'
import { SliderBox } from '../ui/slider-box.tsx'

/** What the hand on the picture does. */
export type HandTool = Brush['mode'] | 'move'

interface Props {
  readonly tool: HandTool
  readonly brush: Brush
  /** The picture's longer side, in pixels. */
  readonly longerSide: number
  readonly onTool: (tool: HandTool) => void
  readonly onBrush: (brush: Brush) => void
  /** Undefined where there is nothing to take back, or to do again. */
  readonly onUndo: (() => void) | undefined
  readonly onRedo: (() => void) | undefined
}

const tools = [
  { tool: 'keep', label: '保留', title: '涂回主体', Icon: BrushIcon },
  { tool: 'erase', label: '擦除', title: '擦掉多余部分', Icon: Eraser },
  { tool: 'move', label: '移动', title: '移动画面（按住空格）', Icon: Hand },
] as const

/** What is painted with, and what was painted taken back. */
export function BrushTools({ tool, brush, longerSide, onTool, onBrush, onUndo, onRedo }: Props) {
  return (
    <div className={css['tools']} role="group" aria-label="画笔">
      <div className={css['kinds']} role="group" aria-label="工具">
        {tools.map(({ tool: one, label, title, Icon }) => (
          <button key={one} type="button" title={title} aria-pressed={tool === one} onClick={() => onTool(one)}>
            <Icon size={18} aria-hidden />
            {label}
          </button>
        ))}
      </div>
      <div className={css['sliders']}>
        <SliderBox
          label="笔刷大小"
          text={`${Math.max(1, Math.round(brush.size * longerSide))} px`}
          value={placeOf(brush.size)}
          least={0}
          most={100}
          step={1}
          onChange={(place) => onBrush({ ...brush, size: sizeAt(place) })}
        />
        <SliderBox
          label="硬度"
          text={`${Math.round(brush.hardness * 100)}%`}
          value={Math.round(brush.hardness * 100)}
          least={0}
          most={100}
          step={1}
          onChange={(hardness) => onBrush({ ...brush, hardness: hardness / 100 })}
        />
      </div>
      <div className={css['turns']}>
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
