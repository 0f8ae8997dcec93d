import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { ActionBar } from './action-bar.tsx'
import { AddButtons } from './add-buttons.tsx'
import { DropZone } from './drop-zone.tsx'
import type { Opened } from './row-actions.ts'
import { SettingsPanel, SettingsSheet } from './settings-panel.tsx'
import { summaryOf } from './summary.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { usePage } from './use-page.ts'
import { ViewToggle } from './view-toggle.tsx'
import css from './workspace.module.css'
import { whenIdle } from '../state/arrival.ts'
import { settingsAtom } from '../state/settings.ts'
import { totalsAtom } from '../state/totals.ts'
import { aiBadges, purposes, thingOf } from '../text.ts'
import { useIsNarrow } from '../ui/use-narrow.ts'
import { arriving } from '../ui/arriving.tsx'
import { findPage } from '#shared/tools/index'

const fileList = whenIdle(() => import('./file-list.tsx').then((module) => module.FileList))
const FileList = arriving(fileList, { failed: <p role="alert">文件列表没有打开，请刷新页面。</p> })
const OpenedFile = arriving(whenIdle(() => import('./opened-file.tsx').then((module) => module.OpenedFile)))
const Together = arriving(() => import('./together.tsx').then((module) => module.Together))
const OnlyPdf = arriving(() => import('../pdf/only-pdf.tsx').then((module) => module.OnlyPdf))

/** A tool's page: files on the left, its settings on the right, what to do with all of them at the bottom. */
export function Workspace({ path }: { path: string }) {
  const { add, message, start, editedId, edit } = usePage(path)
  const { count } = useAtomValue(totalsAtom(path))
  const options = useAtomValue(settingsAtom(path))
  const isNarrow = useIsNarrow()
  const [hasSettings, setSettings] = useState(false)
  const isDragging = useFileDrop(add)
  const [opened, setOpened] = useState<Opened | undefined>()
  const section = useKeptFocus()
  const open = (one: Opened): void => (one.dialog === 'edit' ? edit(one.id) : setOpened(one))
  const found = findPage(path)
  if (!found) return null
  const { page, tool } = found
  const shown = page.shows?.filter((key) => tool.matters?.(key, options) ?? true)
  const badge = aiBadges[tool.id]
  const offered = page.picksFiles ?? tool.accepts
  return (
    <section ref={section} className={css['work']} data-dragging={isDragging || undefined} aria-labelledby={`title-${page.path}`}>
      <header className={css['head']}>
        <div>
          <h1 id={`title-${page.path}`}>
            {page.label}
            {badge && (
              <small className={css['badge']} title={badge.hint}>
                {badge.text}
              </small>
            )}
          </h1>
          <p>{purposes[page.path]}</p>
        </div>
        {count > 0 && (
          <div className={css['tools']}>
            <AddButtons accepts={offered} onPick={add} />
            <ViewToggle />
          </div>
        )}
      </header>
      <div className={css['files']}>
        {tool.takes === 'all' && <Together page={path} />}
        {count === 0 ? <DropZone accepts={offered} isDragging={isDragging} onPick={add} /> : <FileList page={path} onOpen={open} />}
        {tool.section === 'pdf' && count > 0 && <OnlyPdf page={path} />}
      </div>
      {!isNarrow && <SettingsPanel path={path} />}
      <ActionBar
        page={path}
        message={message}
        onStart={start}
        settings={isNarrow ? { summary: summaryOf(tool.options, options, shown), onOpen: () => setSettings(true) } : undefined}
      />
      {isNarrow && hasSettings && <SettingsSheet path={path} onClose={() => setSettings(false)} />}
      {isDragging && count > 0 && <div className={css['dropping']}>{`松开鼠标，添加${thingOf(offered)}`.trim()}</div>}
      {(opened !== undefined || editedId !== undefined) && (
        <OpenedFile page={path} opened={opened} editedId={editedId} onEdit={edit} onOpen={open} onTurn={setOpened} />
      )}
    </section>
  )
}
