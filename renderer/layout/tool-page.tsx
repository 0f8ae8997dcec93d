import type { ComponentType } from 'react'
import { atom, useAtomValue } from 'jotai'
import css from './tool-page.module.css'
import { WorkspaceSkeleton } from './workspace-skeleton.tsx'
import { store } from '../state/store.ts'

type Arrival =
  { readonly at: 'loading' } | { readonly at: 'failed' } | { readonly at: 'here'; readonly Workspace: ComponentType<{ path: string }> }

// Not `lazy`: React holds what replaces a fallback back by 300 ms.
const arrivalAtom = atom<Arrival>({ at: 'loading' })
import('../tools/workspace.tsx').then(
  ({ Workspace }) => store.set(arrivalAtom, { at: 'here', Workspace }),
  () => store.set(arrivalAtom, { at: 'failed' }),
)

/** A tool's page. Its workspace is a script of its own; until that is there its frame stands in its place. */
export function ToolPage({ path }: { path: string }) {
  const arrival = useAtomValue(arrivalAtom)
  switch (arrival.at) {
    case 'loading':
      return <WorkspaceSkeleton path={path} />
    case 'failed':
      return <Failed />
    case 'here':
      return <arrival.Workspace path={path} />
  }
}

/** A module that failed once is not fetched again by the same document. */
function Failed() {
  return (
    <section className={css['failed']} role="alert">
      <h1>页面没有打开</h1>
      <p>请检查网络，然后刷新页面。</p>
      <button type="button" onClick={() => location.reload()}>
        刷新页面
      </button>
    </section>
  )
}
