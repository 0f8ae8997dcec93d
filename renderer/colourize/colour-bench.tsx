import { useState } from 'react'
import type { ColourDraft } from './colour-draft.ts'
import type { Colouring } from './use-colours.ts'
import { hintAt } from './hint-strokes.ts'
import { HintStage } from './hint-stage.tsx'
import { HintTools, Palette, type HintBrush, type HintTool } from './hint-tools.tsx'
import css from './colourize-editor.module.css'
import { back, forward, stepped } from './steps.ts'
import { Drawer } from '../stage/drawer.tsx'
import { sizeAfter, strokesOf } from '../stage/brush.ts'
import { useShortcuts } from '../stage/use-shortcuts.ts'
import { FieldSet } from '../tools/fields.tsx'
import { useIsNarrow } from '../ui/use-narrow.ts'
import { areHintsWithinLimits } from '#shared/hints'
import type { Size } from '#shared/resize'
import { colourize } from '#shared/tools/colourize'

interface Props {
  readonly size: Size
  readonly colouring: Colouring
  /** The photo's address. */
  readonly original: string
  readonly draft: ColourDraft
  readonly onMessage: (message: string) => void
}

const firstBrush: HintBrush = { colour: '#cf9873', size: 0.03 }
const { strength } = colourize.options

/** What a canvas shows at a place, as `#rrggbb`. */
function colourAt(canvas: HTMLCanvasElement | null, x: number, y: number): string | undefined {
  if (!canvas || x < 0 || y < 0 || x >= 1 || y >= 1) return undefined
  const data = canvas.getContext('2d')?.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data
  return data && `#${[...data.subarray(0, 3)].map((level) => level.toString(16).padStart(2, '0')).join('')}`
}

const tabs = [
  { tab: 'colours', label: '颜色' },
  { tab: 'brush', label: '画笔' },
  { tab: 'strength', label: '强度' },
] as const

/** A photo with the colours it is painted with: at its sides, or on a phone below it, one set of tools at a time. */
export function ColourBench({ size, colouring, original, draft, onMessage }: Props) {
  const { colours, steps, setSteps, setStrength } = draft
  const { hints } = colours
  const [brush, setBrush] = useState<HintBrush>(firstBrush)
  const [tool, setTool] = useState<HintTool>('paint')
  const [tab, setTab] = useState<'brush' | 'colours' | 'strength'>('colours')
  const [areSeen, setSeen] = useState(false)
  const isNarrow = useIsNarrow()
  const [before, after] = [back(steps), forward(steps)]
  const onUndo = before && (() => setSteps(before))
  const onRedo = after && (() => setSteps(after))
  const isHeld = useShortcuts({ onUndo, onRedo, onSize: (by) => setBrush({ ...brush, size: sizeAfter(brush.size, by) }) })
  const choose = (colour: string): void => {
    setBrush({ ...brush, colour })
    setTool('paint')
  }
  const paint = (points: readonly number[]): void => {
    const all = [...hints, ...strokesOf(brush, points, size)]
    const isWithin = areHintsWithinLimits(all)
    onMessage(isWithin ? '' : '这张照片的画笔已达上限，请先撤销一些。')
    if (isWithin) setSteps(stepped(steps, all))
  }
  const stroke = (points: readonly number[]): void => {
    const [x = 0, y = 0] = points
    if (tool === 'pick') return void choose(colourAt(colouring.canvas.current, x, y) ?? brush.colour)
    if (tool !== 'erase') return paint(points)
    const at = hintAt(hints, x, y, size)
    if (at >= 0) setSteps(stepped(steps, hints.toSpliced(at, 1)))
  }
  const stage = (
    <>
      <HintStage
        size={size}
        canvas={colouring.canvas}
        original={original}
        hints={hints}
        showsHints={areSeen || tool === 'erase'}
        brush={tool === 'paint' || tool === 'move' ? brush : undefined}
        isMoving={tool === 'move' || isHeld}
        isBusy={!colouring.isShown}
        onStroke={stroke}
      />
      <p className="visually-hidden" role="status">
        {hints.length > 0 ? `已涂 ${hints.length} 笔` : ''}
      </p>
    </>
  )
  const tools = (
    <HintTools
      tool={tool}
      brush={brush}
      longerSide={Math.max(size.width, size.height)}
      onTool={setTool}
      onBrush={setBrush}
      onUndo={onUndo}
      onRedo={onRedo}
    />
  )
  const colourTools = <Palette colour={brush.colour} onColour={choose} />
  const amounts = (
    <>
      <FieldSet
        fields={{ strength }}
        values={{ strength: colours.strength }}
        onChange={(values) => {
          const parsed = strength.schema.safeParse(values['strength'])
          if (parsed.success) setStrength(parsed.data)
        }}
      />
      <label className={css['seen']}>
        <input type="checkbox" checked={areSeen} onChange={({ target }) => setSeen(target.checked)} />
        显示笔迹
      </label>
    </>
  )
  if (!isNarrow) {
    return (
      <>
        <div className={css['main']}>
          {tools}
          <div className={css['stage']}>{stage}</div>
        </div>
        <div className={css['panel']}>
          <p className={css['advice']}>选一个颜色，在颜色不对的地方涂几笔，颜色会自己铺到边缘。明暗始终是原照片的。</p>
          {colourTools}
          {amounts}
        </div>
      </>
    )
  }
  return (
    <>
      <div className={css['main']}>
        <div className={css['stage']}>{stage}</div>
      </div>
      <Drawer label="上色工具" tabs={tabs} tab={tab} onTab={setTab}>
        {tab === 'brush' ? tools : <div className={css['padded']}>{tab === 'colours' ? colourTools : amounts}</div>}
      </Drawer>
    </>
  )
}
