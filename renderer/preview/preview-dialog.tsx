import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useAtomValue } from 'jotai'
import { Columns2, Download, X } from 'lucide-react'
import { OriginalPages } from './original-pages.tsx'
import css from './preview-dialog.module.css'
import { ResultView } from './result-view.tsx'
import { usePreview } from './use-preview.ts'
import { isPreviewed } from './previewed.ts'
import { useScrolledTogether } from './use-scrolled-together.ts'
import { ResultLinks } from '../client/result-links.tsx'
import { isClient } from '../platform/desktop.ts'
import { listAtom, readRow, rowAtom, type Output } from '../state/rows.ts'
import { Turn } from '../ui/turn.tsx'
import { useIsNarrow } from '../ui/use-narrow.ts'
import { useModal, whenClosed } from '../ui/use-modal.ts'
import { words } from '../words.ts'

interface Props {
  readonly page: string
  readonly id: string
  readonly onChange: (id: string | undefined) => void
}

const previewedOutput = (id: string): Output | undefined => {
  const status = readRow(id)?.status
  return status?.at === 'done' && isPreviewed(status.outputs[0].format) ? status.outputs[0] : undefined
}

/** A result before it is downloaded or opened, beside its original where there is room; from there to the next and the previous. */
export function PreviewDialog({ page, id, onChange }: Props) {
  const ids = useAtomValue(listAtom(page))
  const { name, file, status } = useAtomValue(rowAtom(id))
  const titleId = useId()
  const { dialog, first: body } = useModal()
  const isNarrow = useIsNarrow()
  const [isBeside, setBeside] = useState(true)
  const output = status.at === 'done' ? status.outputs[0] : undefined
  const isGone = output === undefined
  // Over with the result it shows.
  useEffect(() => {
    if (isGone) onChange(undefined)
  }, [isGone, onChange])
  const done = ids.filter((one) => previewedOutput(one) !== undefined)
  const at = done.indexOf(id)
  const go = (to: string | undefined) => (to === undefined ? undefined : () => onChange(to))
  const [previous, next] = [go(done[at - 1]), go(done[at + 1])]
  const turn = (event: KeyboardEvent): void => {
    if (event.target !== body.current || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'ArrowLeft') previous?.()
    if (event.key === 'ArrowRight') next?.()
  }
  const canCompare = file !== undefined && !isNarrow
  return (
    <dialog ref={dialog} className={css['dialog']} aria-labelledby={titleId} onClose={whenClosed(() => onChange(undefined))}>
      <div ref={body} className={css['body']} tabIndex={-1} onKeyDown={turn}>
        <header className={css['header']}>
          <h2 id={titleId} title={name}>
            <span className="visually-hidden">结果预览：</span>
            {output?.name ?? name}
          </h2>
          {canCompare && (
            <button type="button" className={css['toggle']} aria-pressed={isBeside} onClick={() => setBeside(!isBeside)}>
              <Columns2 size={18} aria-hidden />
              对照原文
            </button>
          )}
          {done.length > 1 && (
            <div className={css['turns']}>
              <Turn label="上一个" className={css['icon']} onTurn={previous} />
              <span aria-hidden>{`${at + 1} / ${done.length}`}</span>
              <Turn label="下一个" className={css['icon']} onTurn={next} />
            </div>
          )}
          {output && isClient && <ResultLinks url={output.url} className={css['download']} />}
          {output && !isClient && (
            <a className={css['download']} href={output.url} download={output.name}>
              <Download size={18} aria-hidden />
              下载
            </a>
          )}
          <button type="button" className={css['icon']} aria-label="关闭" title="关闭（Esc）" onClick={() => dialog.current?.close()}>
            <X size={20} aria-hidden />
          </button>
        </header>
        {output && <Panes key={id} id={id} output={output} isCompared={canCompare && isBeside} />}
      </div>
    </dialog>
  )
}

function Panes({ id, output, isCompared }: { readonly id: string; readonly output: Output; readonly isCompared: boolean }) {
  const [shown, retry] = usePreview(output)
  const together = useScrolledTogether()
  return (
    <>
      <div className={css['panes']} data-compared={isCompared || undefined} {...together}>
        {isCompared && <OriginalPages id={id} />}
        <div className={css['result']}>
          {shown === undefined && <p className={css['state']}>正在打开预览…</p>}
          {shown && 'why' in shown && (
            <p className={css['state']} role="alert">
              {shown.why}
              {shown.canRetry && (
                <button type="button" onClick={retry}>
                  重试
                </button>
              )}
            </p>
          )}
          {shown && 'preview' in shown && <ResultView preview={shown.preview} />}
        </div>
      </div>
      <p className={css['note']}>
        {[shown && 'preview' in shown ? shown.preview.more : '', words.preview.whole].filter(Boolean).join(' · ')}
      </p>
    </>
  )
}
