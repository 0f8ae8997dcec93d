import { useAtomValue } from 'jotai'
import css from './row-sheet.module.css'
import { rowActions, type Opened } from './row-actions.ts'
import { pdfFacts, rowAtom, thumbnailAtom } from '../state/rows.ts'
import { statusText } from '../row-text.ts'
import { Sheet } from '../ui/sheet.tsx'
import { findPage } from '#shared/tools/index'

interface Props {
  readonly id: string
  readonly onOpen: (opened: Opened) => void
  readonly onClose: () => void
}

/** On a phone: everything that can be done with one file, in words. */
export function RowSheet({ id, onOpen, onClose }: Props) {
  const row = useAtomValue(rowAtom(id))
  const thumbnail = useAtomValue(thumbnailAtom(id))
  const { text, hint } = statusText(row.status, findPage(row.page)?.tool.id, pdfFacts(thumbnail).error)
  return (
    <Sheet title={row.name} note={hint ?? text} onClose={onClose}>
      <ul className={css['list']}>
        {rowActions(row, thumbnail, onOpen).map(({ key, title, Icon, run, link }) => (
          <li key={key}>
            {link ? (
              <a {...link} onClick={onClose}>
                <Icon size={20} aria-hidden />
                {title}
              </a>
            ) : (
              <button
                type="button"
                onClick={() => {
                  onClose()
                  run?.()
                }}
              >
                <Icon size={20} aria-hidden />
                {title}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
