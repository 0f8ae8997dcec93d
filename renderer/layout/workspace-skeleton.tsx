import css from './workspace-skeleton.module.css'
import work from '../tools/workspace.module.css'
import { purposes } from '../text.ts'
import { findPage } from '#shared/tools/index'

/** A workspace's frame with its true title, in its true size; nothing below it is shown yet, so nothing moves when it comes. */
export function WorkspaceSkeleton({ path }: { path: string }) {
  const found = findPage(path)
  return (
    <section className={work['work']} aria-busy="true" data-loading>
      <header className={work['head']}>
        <div>
          <h1>{found?.page.label}</h1>
          <p>{purposes[path]}</p>
        </div>
      </header>
      <div className={work['files']}>
        <div className={css['zone']}>
          <span className="visually-hidden">正在打开…</span>
        </div>
      </div>
      <div className={css['panel']} aria-hidden>
        <span />
        <span />
        <span />
      </div>
      <div className={css['bar']} aria-hidden />
    </section>
  )
}
