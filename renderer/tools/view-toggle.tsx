import { useAtomValue } from 'jotai'
import { LayoutGrid, List } from 'lucide-react'
import css from './view-toggle.module.css'
import { changeView, viewAtom, type View } from '../state/view.ts'

const views = [
  { view: 'list', label: '列表', Icon: List },
  { view: 'grid', label: '大图', Icon: LayoutGrid },
] as const satisfies readonly { view: View; label: string; Icon: typeof List }[]

/** Rows or large pictures. */
export function ViewToggle() {
  const current = useAtomValue(viewAtom)
  return (
    <div className={css['views']} role="group" aria-label="文件显示方式">
      {views.map(({ view, label, Icon }) => (
        <button key={view} type="button" title={label} aria-label={label} aria-pressed={view === current} onClick={() => changeView(view)}>
          <Icon size={18} aria-hidden />
        </button>
      ))}
    </div>
  )
}
