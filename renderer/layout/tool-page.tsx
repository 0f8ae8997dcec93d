import { useAtomValue } from 'jotai'
import css from './tool-page.module.css'
import { WorkspaceSkeleton } from './workspace-skeleton.tsx'
import { arrivalOf } from '../state/arrival.ts'

const workspaceAtom = arrivalOf(import('../tools/workspace.tsx'))

/** A tool's page. Its workspace is a script of its own; until that is there its frame stands in its place. */
export function ToolPage({ path }: { path: string }) {
  const arrival = useAtomValue(workspaceAtom)
  switch (arrival.at) {
    case 'loading':
      return <WorkspaceSkeleton path={path} />
    case 'failed':
      return <Failed />
    case 'here':
      return <arrival.it.Workspace path={path} />
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
