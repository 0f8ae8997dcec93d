import { useId, useState } from 'react'
import { useAtomValue } from 'jotai'
import { ChoiceBar } from './choice-bar.tsx'
import { TILE_PICTURE_PX } from './only-pdf.tsx'
import css from './pages-dialog.module.css'
import { PageTiles } from './page-tiles.tsx'
import { PageViewer } from './page-viewer.tsx'
import { usePageChoice } from './use-page-choice.ts'
import { usePdf } from './use-pdf.ts'
import { pdfFacts, rowAtom, thumbnailAtom } from '../state/rows.ts'
import { Modal } from '../ui/modal.tsx'

interface Props {
  readonly id: string
  readonly onClose: () => void
}

/** The pages of one PDF side by side, to choose from by sight or by number. */
export function PagesDialog({ id, onClose }: Props) {
  const { name } = useAtomValue(rowAtom(id))
  const { pages: count = 0 } = pdfFacts(useAtomValue(thumbnailAtom(id)))
  const open = usePdf(id, TILE_PICTURE_PX)
  const choice = usePageChoice(id, count)
  const [enlarged, enlarge] = useState<number>()
  const input = useId()
  return (
    <Modal title="选择页面" note={name} widthPx={880} onClose={onClose}>
      <div className={css['dialog']}>
        <ChoiceBar choice={choice} count={count} />
        <div className={css['pages']}>
          {typeof open === 'string' && <p>{open}</p>}
          {typeof open === 'object' && (
            <PageTiles pictures={open.pictures} count={count} choice={choice} layout="grid" onEnlarge={enlarge} />
          )}
        </div>
        <div className={css['range']}>
          <label htmlFor={input}>页码范围</label>
          <input
            id={input}
            type="text"
            autoComplete="off"
            placeholder="不填则为全部，例如 1-3,7"
            aria-invalid={choice.isWrong}
            value={choice.range}
            onChange={({ target }) => choice.set(target.value)}
          />
          <button type="button" disabled={choice.isWrong} onClick={onClose}>
            完成
          </button>
        </div>
      </div>
      {typeof open === 'object' && enlarged !== undefined && (
        <PageViewer pdf={open.pdf} page={enlarged} choice={choice} onTurn={enlarge} onClose={() => enlarge(undefined)} />
      )}
    </Modal>
  )
}
