import type { ReactNode } from 'react'
import { Brush as BrushIcon, Eraser, Hand, Redo2, Undo2, type LucideIcon } from 'lucide-react'
import { placeOf, sizeAt, type Brush } from './brush.ts'
import css from './brush-tools.module.css'
import { SliderBox } from '../ui/slider-box.tsx'

/** What the hand on the picture does. */
export type HandTool = Brush['mode'] | 'move'

interface HandProps<Tool, B extends { readonly size: number }> {
  readonly tool: Tool
  readonly brush: B
  /** The picture's longer side, in pixels. */
  readonly longerSide: number
  readonly onTool: (tool: Tool) => void
  readonly onBrush: (brush: B) => void
  /** Undefined where there is nothing to take back, or to do again. */
  readonly onUndo: (() => void) | undefined
  readonly onRedo: (() => void) | undefined
}

interface KindsProps<Tool, B extends { readonly size: number }> extends HandProps<Tool, B> {
  readonly tools: readonly { readonly tool: Tool; readonly label: string; readonly title: string; readonly Icon: LucideIcon }[]
  /** More sliders under the size of the brush. */
  readonly children?: ReactNode
}

/** What is painted with, and what was painted taken back. */
export function PaintTools<Tool extends string, B extends { readonly size: number }>(props: KindsProps<Tool, B>) {
  const { tools, tool, brush, longerSide, onTool, onBrush, onUndo, onRedo, children } = props
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
        {children}
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

/** The hand that moves the picture, last of all tools. */
export const moving = { tool: 'move', label: '移动', title: '移动画面（按住空格）', Icon: Hand } as const

const tools = [
  { tool: 'keep', label: '保留', title: '涂回主体', Icon: BrushIcon },
  { tool: 'erase', label: '擦除', title: '擦掉多余部分', Icon: Eraser },
  moving,
] as const

/** A cut-out's brush, which is hard or soft. */
export function BrushTools(props: HandProps<HandTool, Brush>) {
  const { brush, onBrush } = props
  return (
    <PaintTools {...props} tools={tools}>
      <SliderBox
        label="硬度"
        text={`${Math.round(brush.hardness * 100)}%`}
        value={Math.round(brush.hardness * 100)}
        least={0}
        most={100}
        step={1}
        onChange={(hardness) => onBrush({ ...brush, hardness: hardness / 100 })}
      />
    </PaintTools>
  )
}
