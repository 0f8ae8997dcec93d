import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { Link, useLocation } from 'react-router-dom'
import css from './menu-sheet.module.css'
import { DownloadPanel, ServicePanel } from './support-panels.tsx'
import { isClient } from '../platform/desktop.ts'
import { signedInAtom } from '../state/account.ts'
import { openDialog, type DialogName } from '../state/dialogs.ts'
import { sessionAtom } from '../state/session.ts'
import { siteAtom } from '../state/site.ts'
import { sectionOf, tabs } from '../tabs.ts'
import { Sheet } from '../ui/sheet.tsx'
import { UNSET } from '#shared/site'
import { pages } from '#shared/tools/index'

type Shown = 'download' | 'service'

/** Every section, the pages of those that have some, and what the header has no room for, over the page. */
export function MenuSheet({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const { loginVIP } = useAtomValue(sessionAtom)
  const [shown, show] = useState<Shown | undefined>()
  const active = sectionOf(pathname)
  if (shown) {
    return (
      <Sheet title={shown === 'download' ? '客户端下载' : '在线客服'} onClose={onClose}>
        {shown === 'download' ? <DownloadPanel /> : <ServicePanel />}
      </Sheet>
    )
  }
  return (
    <Sheet title="全部功能" onClose={onClose}>
      {!loginVIP && <GuestEntries onShow={show} onClose={onClose} />}
      {isClient && <SiteEntry onClose={onClose} />}
      <nav className={css['menu']} aria-label="全部功能">
        {tabs.map(({ section, label, path }) => (
          <div key={section}>
            <Link to={path} className={css['section']} data-active={section === active || undefined} onClick={onClose}>
              {label}
            </Link>
            <ul>
              {pages
                .filter(({ tool, page }) => tool.section === section && page.inMenu)
                .map(({ page }) => (
                  <li key={page.path}>
                    <Link to={page.path} aria-current={page.path === pathname ? 'page' : undefined} onClick={onClose}>
                      {page.label}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
    </Sheet>
  )
}

/** In the client: the way to the website, which the header has no room for. */
function SiteEntry({ onClose }: { onClose: () => void }) {
  return (
    <div className={css['entries']}>
      <button
        type="button"
        onClick={() => {
          onClose()
          void import('../client/client-state.ts').then(({ openSite }) => openSite('/'))
        }}
      >
        访问网站
      </button>
    </div>
  )
}

function GuestEntries({ onShow, onClose }: { onShow: (shown: Shown) => void; onClose: () => void }) {
  const site = useAtomValue(siteAtom)
  const isSignedIn = useAtomValue(signedInAtom)
  const open = (name: DialogName) => () => {
    onClose()
    openDialog(name)
  }
  return (
    <div className={css['entries']}>
      {!isSignedIn && (
        <button type="button" onClick={open('login')}>
          会员账号登录
        </button>
      )}
      <button type="button" onClick={open('cashier')}>
        开通会员
      </button>
      <button type="button" onClick={() => onShow('service')}>
        在线客服
      </button>
      {!isClient && (
        <button type="button" disabled={!site?.facts.installer} onClick={() => onShow('download')}>
          客户端下载
          {site && !site.facts.installer && <small>{UNSET}</small>}
        </button>
      )}
    </div>
  )
}
