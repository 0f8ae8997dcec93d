import { Activity, useLayoutEffect, useState } from 'react'
import { useAtomValue } from 'jotai'
import { Link, Navigate, useLocation } from 'react-router-dom'
import { Header } from './header.tsx'
import { SideMenu } from './side-menu.tsx'
import css from './shell.module.css'
import { ToolPage } from './tool-page.tsx'
import { isClient } from '../platform/desktop.ts'
import { whenIdle } from '../state/arrival.ts'
import { consentAtom } from '../state/consent.ts'
import { hasDialogAtom } from '../state/dialogs.ts'
import { onlineAtom } from '../state/network.ts'
import { guestFailureAtom, retryEntering, sessionAtom } from '../state/session.ts'
import { siteAtom } from '../state/site.ts'
import { tabs } from '../tabs.ts'
import { messageOf, words } from '../words.ts'
import { arriving } from '../ui/arriving.tsx'
import { findPage } from '#shared/tools/index'

const ClientPart = arriving(() => import('../client/client-part.tsx').then((module) => module.ClientPart))
// Below what people come for, and over it only later.
const landing = whenIdle(() => import('./landing.tsx').then((module) => module.Landing))
const Landing = arriving({ ...landing, ask: () => {} })
const Dialogs = arriving(whenIdle(() => import('../dialogs/dialogs.tsx').then((module) => module.Dialogs)))
const WechatReturn = arriving(() => import('../dialogs/wechat-return.tsx').then((module) => module.WechatReturn))

/** The frame of every page. Pages once opened stay as they were left, out of sight. */
export function Shell() {
  const { pathname } = useLocation()
  const [opened, setOpened] = useState<readonly string[]>([])
  const isReturning = pathname === '/callback/wxlogin'
  const isKnown = findPage(pathname) !== undefined
  const redirect = tabs.find(({ path, first }) => path === pathname.replace(/\/$/, '') && first !== pathname)
  if (redirect && !isKnown) return <Navigate replace to={redirect.first} />
  if (isKnown && !opened.includes(pathname)) setOpened([...opened, pathname])
  return (
    <>
      <FromTop path={pathname} />
      <a className={css['skip']} href="#main">
        跳到主要内容
      </a>
      <Header />
      <div className={css['banners']}>
        {isClient && <ClientPart />}
        <Banners />
      </div>
      <div className={css['body']}>
        <SideMenu />
        <main id="main" className={css['main']} tabIndex={-1}>
          {opened.map((path) => (
            <Activity key={path} mode={path === pathname ? 'visible' : 'hidden'}>
              <ToolPage path={path} />
            </Activity>
          ))}
          {isReturning && <WechatReturn />}
          {!isKnown && !isReturning && <Missing />}
        </main>
      </div>
      {/* Nobody has to be won over who has the program. */}
      {!isClient && <Landing />}
      <Opened />
    </>
  )
}

/** Another page is read from its top. It stands before the page's list, which begins where the window is scrolled to when it comes. */
function FromTop({ path }: { path: string }) {
  useLayoutEffect(() => void window.scrollTo(0, 0), [path])
  return null
}

function Opened() {
  const isOpen = useAtomValue(hasDialogAtom)
  const asked = useAtomValue(consentAtom)
  return (isOpen || asked !== undefined) && <Dialogs />
}

function Banners() {
  const isOnline = useAtomValue(onlineAtom)
  const guestFailure = useAtomValue(guestFailureAtom)
  const { loginVIP } = useAtomValue(sessionAtom)
  const isSandbox = useAtomValue(siteAtom)?.isSandbox === true
  return (
    <div aria-live="polite">
      {isSandbox && (
        <p className={css['sandbox']}>
          沙箱支付<span>，不会真实扣款</span>
        </p>
      )}
      {!isOnline && <p className={css['banner']}>{words.offline(loginVIP)}</p>}
      {isOnline && guestFailure && (
        <p className={css['banner']}>
          {guestFailure.code === 'rate.limited' ? messageOf(guestFailure) : words.guestFailed}
          <button type="button" onClick={retryEntering}>
            立即重试
          </button>
        </p>
      )}
    </div>
  )
}

function Missing() {
  return (
    <section className={css['missing']}>
      <h1>该功能暂未开放</h1>
      <p>您可以先使用图片压缩：把照片、截图压到指定大小。</p>
      {/* The link goes with its page; what was asked for is where the focus belongs. */}
      <Link to="/" onClick={() => document.getElementById('main')?.focus()}>
        去压缩图片
      </Link>
    </section>
  )
}
