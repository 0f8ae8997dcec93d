import { Settings } from 'lucide-react'
import { openSite } from './client-state.ts'
import css from './header-entries.module.css'
import { openDialog } from '../state/dialogs.ts'

/** What the client's header has beside the website's: the way to that, and to the settings. */
export function HeaderEntries() {
  return (
    <>
      <button type="button" className={css['site']} title="在浏览器中打开轻图网站" onClick={() => void openSite('/')}>
        访问网站
      </button>
      <button
        type="button"
        className={css['icon']}
        aria-label="设置"
        title="设置（Ctrl+,）"
        aria-haspopup="dialog"
        onClick={() => openDialog('settings')}
      >
        <Settings size={20} aria-hidden />
      </button>
    </>
  )
}
