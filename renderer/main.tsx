import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'jotai'
import { BrowserRouter } from 'react-router-dom'
import './styles/base.css'
import { Shell } from './layout/shell.tsx'
import { trustOwnScripts } from './platform/trusted-types.ts'
import { startAccount } from './state/account.ts'
import { followJobs } from './state/events.ts'
import { startSession } from './state/session.ts'
import { startSite } from './state/site.ts'
import { store } from './state/store.ts'
import { takeName } from './state/tabs.ts'

trustOwnScripts()
startSession()
startAccount()
void startSite()
void takeName().then(followJobs)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Provider store={store}>
        <BrowserRouter>
          <Shell />
        </BrowserRouter>
      </Provider>
    </StrictMode>,
  )
}
