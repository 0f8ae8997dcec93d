import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { X } from 'lucide-react'
import { withStretch } from './page-choice.ts'
import css from './page-viewer.module.css'
import type { PdfFile } from './pdf-file.ts'
import type { PageChoice } from './use-page-choice.ts'
import { Turn } from '../ui/turn.tsx'
import { useModal, whenClosed } from '../ui/use-modal.ts'

/** Wide enough to read the small print of an A4 page. */
const WIDTH_PX = 1400

interface Props {
  readonly pdf: PdfFile
  readonly page: number
  readonly choice: PageChoice
  readonly onTurn: (page: number) => void
  readonly onClose: () => void
}

/** A page drawn large; the one before stays until it is. */
function useLargePage(pdf: PdfFile, page: number): { readonly url: string } | 'failed' | undefined {
  const [picture, setPicture] = useState<{ readonly url: string } | 'failed'>()
  useEffect(() => {
    const end = new AbortController()
    pdf.draw(page, WIDTH_PX, end.signal).then(
      (blob) => end.signal.aborted || setPicture({ url: URL.createObjectURL(blob) }),
      () => end.signal.aborted || setPicture('failed'),
    )
    return () => end.abort()
  }, [pdf, page])
  useEffect(() => () => void (typeof picture === 'object' && URL.revokeObjectURL(picture.url)), [picture])
  return picture
}

/** One page over everything else, as large as there is room for. ← and → turn, Space chooses. */
export function PageViewer({ pdf, page, choice, onTurn, onClose }: Props) {
  const titleId = useId()
  const { dialog, first: body } = useModal()
  const picture = useLargePage(pdf, page)
  const isChosen = choice.chosen.includes(page)
  const toggle = (): void => choice.choose(withStretch(choice.chosen, page, page, !isChosen))
  const previous = page > 1 ? () => onTurn(page - 1) : undefined
  const next = page < pdf.pages ? () => onTurn(page + 1) : undefined
  const keys = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'ArrowLeft') previous?.()
    if (event.key === 'ArrowRight') next?.()
  }
  return (
    <dialog ref={dialog} className={css['dialog']} aria-labelledby={titleId} onClose={whenClosed(onClose)}>
      <div ref={body} className={css['body']} tabIndex={-1} onKeyDown={keys}>
        <header className={css['header']}>
          <h2 id={titleId}>{`第 ${page} 页`}</h2>
          <label className={css['choose']}>
            <input type="checkbox" checked={isChosen} onChange={toggle} />
            选中此页
          </label>
          <div className={css['turns']}>
            <Turn label="上一页" className={css['icon']} onTurn={previous} />
            <span aria-hidden>{`${page} / ${pdf.pages}`}</span>
            <Turn label="下一页" className={css['icon']} onTurn={next} />
          </div>
          <button type="button" className={css['icon']} aria-label="关闭" title="关闭（Esc）" onClick={() => dialog.current?.close()}>
            <X size={20} aria-hidden />
          </button>
        </header>
        <div className={css['stage']} tabIndex={0} role="region" aria-label="页面">
          {picture === undefined && <p>正在绘制…</p>}
          {picture === 'failed' && <p>此页无法预览，不影响转换。</p>}
          {typeof picture === 'object' && <img src={picture.url} alt={`第 ${page} 页`} />}
        </div>
      </div>
    </dialog>
  )
}
