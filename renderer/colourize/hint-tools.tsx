import type { ComponentProps } from 'react'
import { Brush as BrushIcon, Eraser, Pipette } from 'lucide-react'
import { palette } from './hint-strokes.ts'
import { moving, PaintTools } from '../stage/brush-tools.tsx'
import css from './hint-tools.module.css'
import type { Hint } from '#shared/hints'

/** What the hand on the photo does. */
export type HintTool = 'paint' | 'erase' | 'pick' | 'move'

/** What the next stroke is painted with. */
export type HintBrush = Pick<Hint, 'colour' | 'size'>

const tools = [
  { tool: 'paint', label: '上色', title: '在要改颜色的地方涂几笔', Icon: BrushIcon },
  { tool: 'erase', label: '擦除', title: '点一笔，去掉它', Icon: Eraser },
  { tool: 'pick', label: '吸色', title: '从照片上取一个颜色', Icon: Pipette },
  moving,
] as const

/** What colours are painted with, and what was painted taken back. */
export const HintTools = (props: Omit<ComponentProps<typeof PaintTools<HintTool, HintBrush>>, 'tools'>) => (
  <PaintTools {...props} tools={tools} />
)

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
