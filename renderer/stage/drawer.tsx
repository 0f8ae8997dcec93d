import type { ReactNode } from 'react'
import css from './drawer.module.css'

interface Props<Tab> {
  readonly label: string
  readonly tabs: readonly { readonly tab: Tab; readonly label: string }[]
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
  /** What belongs to the tab that is chosen. */
  readonly children: ReactNode
}

/** On a phone: an editor's tools under its picture, three kinds of them and one at a time. */
export function Drawer<Tab extends string>({ label, tabs, tab, onTab, children }: Props<Tab>) {
  return (
    <div className={css['below']}>
      <div className={css['tabs']} role="group" aria-label={label}>
        {tabs.map((one) => (
          <button key={one.tab} type="button" aria-pressed={tab === one.tab} onClick={() => onTab(one.tab)}>
            {one.label}
          </button>
        ))}
      </div>
      <div className={css['drawer']}>{children}</div>
    </div>
  )
}
