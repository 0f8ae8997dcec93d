import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { ChoiceBar } from './choice-bar.tsx'
import css from './only-pdf.module.css'
import { PageTiles } from './page-tiles.tsx'
import { PageViewer } from './page-viewer.tsx'
import { usePageChoice } from './use-page-choice.ts'
import { usePdf, type OpenPdf } from './use-pdf.ts'
import { useTriedPassword } from './use-tried-password.ts'
import { listAtom, pdfFacts, rowAtom, thumbnailAtom } from '../state/rows.ts'

/** On a screen of twice the density as sharp as it is shown. */
export const TILE_PICTURE_PX = 192

/** Under the only file of a page its pages, to choose from; nothing for several files, each of which has a dialog for that. */
export function OnlyPdf({ page }: { page: string }) {
  const [id, another] = useAtomValue(listAtom(page))
  useTriedPassword(page)
  return id !== undefined && another === undefined && <Strip key={id} id={id} />
}

function Strip({ id }: { id: string }) {
  const { file } = useAtomValue(rowAtom(id))
  const { pages = 0 } = pdfFacts(useAtomValue(thumbnailAtom(id)))
  // One page is its row's picture already.
  return file !== undefined && pages > 1 && <Opened id={id} count={pages} />
}

function Opened({ id, count }: { id: string; count: number }) {
  const open = usePdf(id, TILE_PICTURE_PX)
  const choice = usePageChoice(id, count)
  const [enlarged, enlarge] = useState<number>()
  return (
    <section className={css['pages']} aria-label="选择页面">
      <ChoiceBar choice={choice} count={count} />
      {typeof open === 'string' ? <p className={css['failed']}>{open}</p> : <Tiles open={open} {...{ choice, count, enlarge }} />}
      {typeof open === 'object' && enlarged !== undefined && (
        <PageViewer pdf={open.pdf} page={enlarged} choice={choice} onTurn={enlarge} onClose={() => enlarge(undefined)} />
      )}
    </section>
  )
}

interface TilesProps {
  readonly open: OpenPdf | undefined
  readonly choice: ReturnType<typeof usePageChoice>
  readonly count: number
  readonly enlarge: (page: number) => void
}

function Tiles({ open, choice, count, enlarge }: TilesProps) {
  if (!open) return <div className={css['coming']} />
  return <PageTiles pictures={open.pictures} count={count} choice={choice} layout="strip" onEnlarge={enlarge} />
}
