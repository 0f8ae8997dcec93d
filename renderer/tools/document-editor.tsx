import { useRef, useState, type ReactNode } from 'react'
import { useAtomValue } from 'jotai'
import type { EditorProps } from './crop-editor.tsx'
import { draftOf, lookOf, movedCorner, optionsOf, type DocumentDraft, type ScanMode } from './document-draft.ts'
import { EditorDialog } from './editor-dialog.tsx'
import { EditorFooter, ResetButton } from './editor-footer.tsx'
import { useEditedRow } from './use-edited-row.ts'
import { useScan, type Scan } from './use-scan.ts'
import css from './document-editor.module.css'
import { changeRow } from '../state/rows.ts'
import { settingsAtom } from '../state/settings.ts'
import { QuadStage, type Corners } from '../ui/quad-stage.tsx'
import { messageOf } from '../words.ts'
import { areCorners } from '#shared/effects/scan-document/scan'

/** What was changed of one file and is not saved yet. */
interface Edit {
  readonly id: string
  readonly draft: DocumentDraft
}

const whole: Corners = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
]

/** The corners a draft stands for, as far as they are known. */
function cornersOf({ page }: DocumentDraft, scan: Scan): Corners {
  if (page === 'auto') return (scan.at === 'open' ? scan.found : undefined) ?? whole
  return page === 'whole' ? whole : page
}

/** The photo of a page: where its corners lie, and what comes of it. */
export function DocumentEditor({ page, id, onChange }: EditorProps) {
  const edited = useEditedRow(page, id)
  const { row, options, picture, isPending } = edited
  const common = useAtomValue(settingsAtom(page))
  const [edit, setEdit] = useState<Edit>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const draft = edit?.id === id ? edit.draft : draftOf(options)
  const isRight = picture === undefined || typeof draft.page === 'string' || areCorners(draft.page, picture)
  const scan = useScan(picture && row.file, isRight ? lookOf(options, draft) : undefined, canvas)
  const corners = cornersOf(draft, scan)
  const set = (changed: Partial<DocumentDraft>): void => setEdit({ id, draft: { ...draft, ...changed } })
  const keep = (): boolean => {
    if (isRight && edit?.id === id) changeRow(id, { options: { ...row.options, ...optionsOf(draft) } })
    return isRight
  }
  const close = (): void => onChange(undefined)
  return (
    <EditorDialog
      title="调整页面"
      edited={edited}
      keep={keep}
      onChange={onChange}
      isLarge
      footer={
        <EditorFooter
          first={<ResetButton label="全部还原" onClick={() => setEdit({ id, draft: draftOf(common) })} />}
          warning={isRight ? undefined : messageOf({ code: 'scan.corners', data: {} })}
          advice={adviceOf(draft, scan)}
          done={{ label: '应用', onClick: () => keep() && close() }}
        />
      }
    >
      <div className={css['work']}>
        {picture ? (
          <div className={css['stage']}>
            <QuadStage {...picture} corners={corners} onMove={(corner, to) => set({ page: movedCorner(corners, corner, to) })} />
          </div>
        ) : (
          <p className={css['none']}>{isPending ? '正在读取…' : '此格式无法预览，处理时会自动识别页面'}</p>
        )}
        <figure className={css['preview']} aria-label="效果预览">
          <canvas ref={canvas} hidden={!(scan.at === 'open' && scan.isShown)} />
          {scan.at === 'opening' && picture && <p>正在生成预览…</p>}
          {scan.at === 'failed' && <p>此图片无法预览，处理不受影响</p>}
        </figure>
        <div className={css['bar']}>
          <Choice label="页面">
            <Option isChosen={draft.page === 'auto'} onChoose={() => set({ page: 'auto' })}>
              自动识别
            </Option>
            <Option isChosen={draft.page === 'whole'} onChoose={() => set({ page: 'whole' })}>
              整张图片
            </Option>
          </Choice>
          <Choice label="效果">
            {modes.map(([mode, label]) => (
              <Option key={mode} isChosen={draft.mode === mode} onChoose={() => set({ mode })}>
                {label}
              </Option>
            ))}
          </Choice>
        </div>
      </div>
    </EditorDialog>
  )
}

const modes: readonly (readonly [ScanMode, string])[] = [
  ['colour', '彩色'],
  ['grey', '灰度'],
  ['mono', '黑白'],
]

function Choice({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={css['choice']}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  )
}

function Option({
  isChosen,
  onChoose,
  children,
}: {
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {children}
    </button>
  )
}

function adviceOf({ page }: DocumentDraft, scan: Scan): string {
  if (page === 'auto' && scan.at === 'open' && !scan.found) return '没有找到页面的边，保留整张图片；也可以自己拖动四个角。'
  if (page === 'auto') return '四个角已自动找好，不准时拖动即可。'
  return page === 'whole' ? '保留整张图片，只修复明暗和倾斜。' : '拖动四个角，或选中一个角后按方向键。'
}
