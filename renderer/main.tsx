import { StrictMode, type ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'jotai'
import { BrowserRouter } from 'react-router-dom'
import './styles/base.css'
import { Shell } from './layout/shell.tsx'
import { trustOwnScripts } from './platform/trusted-types.ts'
import { isClient } from './platform/desktop.ts'
import { startAccount } from './state/account.ts'
import { whenIdle } from './state/arrival.ts'
import { joinComputer } from './state/computer.ts'
import { startSession } from './state/session.ts'
import { askSite } from './state/site.ts'
import { store } from './state/store.ts'
import { takeName } from './state/tabs.ts'
import { arriving } from './ui/arriving.tsx'

trustOwnScripts()

/** The operators' page is a document of its own: it makes nobody a guest and follows no jobs. */
const isReport = location.pathname.replace(/\/$/, '') === '/paid'

function startSite(): ComponentType {
  startSession()
  startAccount()
  joinComputer().catch(() => {})
  void askSite()
  const following = whenIdle(() => import('./state/events.ts'))
  void Promise.all([following.coming, takeName()]).then(([{ followJobs }]) => followJobs())
  return Shell
}

function show(): void {
  const Page = isReport
    ? arriving(() => import('./paid/paid.tsx').then(({ Paid }) => Paid), {
        failed: <p role="alert">页面没有打开，请检查网络，然后刷新页面。</p>,
      })
    : startSite()
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <Provider store={store}>
        <BrowserRouter>
          <Page />
        </BrowserRouter>
      </Provider>
    </StrictMode>,
  )
}

// In the client it speaks as one from its first word.
if (isClient) void import('./client/begin.ts').then(({ beginClient }) => beginClient()).finally(show)
else show()
