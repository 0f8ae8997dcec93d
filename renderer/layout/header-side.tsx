import { useEffect, useRef, useState, type ComponentType } from 'react'
import { useAtomValue } from 'jotai'
import { ChevronDown } from 'lucide-react'
import { Avatar } from './avatar.tsx'
import css from './header-side.module.css'
import { isClient } from '../platform/desktop.ts'
import { signedInAtom } from '../state/account.ts'
import { openDialog } from '../state/dialogs.ts'
import { sessionAtom } from '../state/session.ts'
import { siteAtom } from '../state/site.ts'
import { arriving } from '../ui/arriving.tsx'
import { HoverPanel } from '../ui/hover-panel.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useIsNarrow } from '../ui/use-narrow.ts'
import { maskedAccount } from '#shared/session'
import { UNSET } from '#shared/site'

const panel = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  arriving(load, { loading: <p>加载中…</p>, failed: <p>没有打开，请刷新页面后重试。</p> })

const AccountPanel = panel(() => import('./account-panel.tsx').then((module) => module.AccountPanel))
const DownloadPanel = panel(() => import('./support-panels.tsx').then((module) => module.DownloadPanel))
const HeaderEntries = arriving(() => import('../client/header-entries.tsx').then((module) => module.HeaderEntries))
const ServicePanel = panel(() => import('./support-panels.tsx').then((module) => module.ServicePanel))

/** The header's right end: for members their account, for others the ways to become one; between them who is signed in by WeChat. */
export function HeaderSide() {
  const { loginVIP } = useAtomValue(sessionAtom)
  const isSignedIn = useAtomValue(signedInAtom)
  const side = useRef<HTMLDivElement>(null)
  const before = useRef({ loginVIP, isSignedIn })
  useEffect(() => {
    const isChanged = before.current.loginVIP !== loginVIP || before.current.isSignedIn !== isSignedIn
    before.current = { loginVIP, isSignedIn }
    // The button that had the focus went with the other state.
    if (isChanged && document.activeElement === document.body) {
      side.current?.querySelector<HTMLElement>(`.${css['member']}, .${css['join']}`)?.focus({ preventScroll: true })
    }
  }, [loginVIP, isSignedIn])
  return (
    <div ref={side} className={css['side']}>
      {isClient && <HeaderEntries />}
      {loginVIP ? <Account /> : <Guest />}
    </div>
  )
}

function Guest() {
  const isNarrow = useIsNarrow()
  const isSignedIn = useAtomValue(signedInAtom)
  return (
    <>
      {!isClient && <Download />}
      <div className={css['wide']}>
        <HoverPanel label="在线客服" title="在线客服" className={css['ghost']} widthPx={232}>
          {() => <ServicePanel />}
        </HoverPanel>
      </div>
      {isSignedIn ? (
        <Account />
      ) : (
        <button type="button" className={`${css['ghost']} ${css['login']}`} aria-haspopup="dialog" onClick={() => openDialog('login')}>
          登录
        </button>
      )}
      <button type="button" className={css['join']} aria-haspopup="dialog" aria-label="开通会员" onClick={() => openDialog('cashier')}>
        {isNarrow ? '会员' : '开通会员'}
      </button>
    </>
  )
}

function Download() {
  const site = useAtomValue(siteAtom)
  return (
    <div className={css['wide']}>
      {site?.facts.installer ? (
        <HoverPanel label="客户端下载" title="客户端下载" className={css['line']} widthPx={320}>
          {() => <DownloadPanel />}
        </HoverPanel>
      ) : (
        <button type="button" className={css['line']} disabled>
          客户端下载
          {site && <small>{UNSET}</small>}
        </button>
      )}
    </div>
  )
}

/** Who is signed in: a member by the masked account, others by their name. */
function Account() {
  const session = useAtomValue(sessionAtom)
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const account = session.loginVIP ? maskedAccount(session) : session.loginPhone
  const title = session.loginVIP ? '会员账号' : '我的账号'
  const label = (
    <>
      <Avatar url={session.loginImg} />
      <span className={css['account']}>{account}</span>
      <ChevronDown size={16} aria-hidden />
    </>
  )
  if (!isNarrow) {
    return (
      <HoverPanel label={label} title={title} className={css['member']} widthPx={320}>
        {(onDone) => <AccountPanel onDone={onDone} />}
      </HoverPanel>
    )
  }
  return (
    <>
      <button type="button" className={css['member']} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Sheet title={title} onClose={() => setOpen(false)}>
          <AccountPanel onDone={() => setOpen(false)} />
        </Sheet>
      )}
    </>
  )
}
