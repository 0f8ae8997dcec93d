import { useState } from 'react'
import { firstBrush, sizeAfter, strokesOf, type Brush } from '../stage/brush.ts'
import { BrushTools, type HandTool } from '../stage/brush-tools.tsx'
import css from './cut-out-editor.module.css'
import { Drawer } from '../stage/drawer.tsx'
import { LookPanel } from './look-panel.tsx'
import { MatteStage } from './matte-stage.tsx'
import { painted, redo, undo } from './stroke-history.ts'
import type { Board } from './board.ts'
import type { Composition } from './use-compositor.ts'
import type { Draft } from './use-draft.ts'
import { useShortcuts } from '../stage/use-shortcuts.ts'
import { useIsNarrow } from '../ui/use-narrow.ts'

interface Props extends Pick<Composition, 'canvases' | 'paint' | 'refine'> {
  readonly page: string
  readonly board: Board
  /** The original's address. */
  readonly original: string
  readonly draft: Draft
  /** Whether nothing was found that could be erased. */
  readonly isEmpty: boolean
  readonly onMessage: (message: string) => void
}

const tabs = [
  { tab: 'brush', label: '画笔' },
  { tab: 'background', label: '背景' },
  { tab: 'edges', label: '边缘' },
] as const
type Tab = (typeof tabs)[number]['tab']

/** The picture with what it is worked on with: at its sides, or on a phone below it, one set of tools at a time. */
export function Workbench({ page, board, canvases, paint, refine, original, draft, isEmpty, onMessage }: Props) {
  const { look, history, setLook, setHistory } = draft
  const { full } = board
  const [brush, setBrush] = useState<Brush>(isEmpty ? { ...firstBrush, mode: 'keep' } : firstBrush)
  const [tool, setTool] = useState<HandTool>(brush.mode)
  const [tab, setTab] = useState<Tab>('brush')
  const isNarrow = useIsNarrow()
  const onUndo = history.gestures.length > 0 ? () => setHistory(undo(history)) : undefined
  const onRedo = history.undone.length > 0 ? () => setHistory(redo(history)) : undefined
  const isHeld = useShortcuts({ onUndo, onRedo, onSize: (steps) => setBrush({ ...brush, size: sizeAfter(brush.size, steps) }) })
  const stroke = (points: readonly number[]): void => {
    const after = painted(history, strokesOf(brush, points, full))
    onMessage(after ? '' : '这张图片的画笔已达上限，请先撤销一些。')
    if (after) setHistory(after)
    else paint(undefined)
  }
  const choose = (one: HandTool): void => {
    setTool(one)
    if (one !== 'move') setBrush({ ...brush, mode: one })
  }
  const stage = (
    <MatteStage
      board={board}
      canvases={canvases}
      onLook={refine}
      original={original}
      brush={brush}
      isMoving={tool === 'move' || isHeld}
      onPaint={(points) => paint(points && { ...brush, points })}
      onStroke={stroke}
    />
  )
  const brushTools = (
    <BrushTools
      tool={tool}
      brush={brush}
      longerSide={Math.max(full.width, full.height)}
      onTool={choose}
      onBrush={setBrush}
      onUndo={onUndo}
      onRedo={onRedo}
    />
  )
  const said = (
    <p className="visually-hidden" role="status">
      {history.gestures.length > 0 ? `已涂 ${history.gestures.length} 笔` : ''}
    </p>
  )
  if (!isNarrow) {
    return (
      <>
        <div className={css['main']}>
          {brushTools}
          {stage}
          {said}
        </div>
        <LookPanel page={page} look={look} parts={['background', 'edges']} onChange={setLook} />
      </>
    )
  }
  return (
    <>
      <div className={css['main']}>
        {stage}
        {said}
      </div>
      <Drawer label="修边工具" tabs={tabs} tab={tab} onTab={setTab}>
        {tab === 'brush' ? brushTools : <LookPanel page={page} look={look} parts={[tab]} onChange={setLook} />}
      </Drawer>
    </>
  )
}
