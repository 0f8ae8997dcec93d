import { useAtomValue } from 'jotai'
import { Columns2, Download, RotateCcw, SlidersHorizontal, Square, X } from 'lucide-react'
import css from './file-row.module.css'
import { Picture, Sizes, State } from './row-parts.tsx'
import { cancelRow, removeRows, startRows } from '../state/batch.ts'
import { download } from '../state/download.ts'
import { isActive, rowAtom, thumbnailAtom, type Output, type Row } from '../state/rows.ts'
import { isShownByBrowsers } from '#shared/formats'
import { findPage } from '#shared/tools/index'
import { splitName } from '#shared/names'

interface Props {
  readonly id: string
  readonly onCompare: (id: string) => void
  readonly onSettings: (id: string) => void
}

/** One file: what it is, what became of it, and what can be done with it. */
export function FileRow({ id, onCompare, onSettings }: Props) {
  const row = useAtomValue(rowAtom(id))
  const { name, page, path, status } = row
  const thumbnail = useAtomValue(thumbnailAtom(id))
  const { extension } = splitName(name)
  const sides = thumbnail.kind === 'picture' && thumbnail.width > 0 ? `${thumbnail.width}×${thumbnail.height} · ` : ''
  const isAlone = findPage(page)?.tool.takes !== 'all'
  const canCompare = isAlone && status.at === 'done' && isShownByBrowsers(status.outputs[0].format)
  const canRetry =
    isAlone && ['failed', 'cancelled', 'expired', 'done'].includes(status.at) && (row.file !== undefined || row.key !== undefined)
  return (
    <div className={css['row']}>
      <div className={css['picture']}>
        <Picture thumbnail={thumbnail} />
      </div>
      <div className={css['name']}>
        <b title={name}>{name}</b>
        <span>
          {sides}
          {extension.toUpperCase()}
          {path !== undefined && ` · ${path}`}
        </span>
      </div>
      <div className={css['sizes']}>
        <Sizes row={row} />
      </div>
      <div className={css['state']}>
        <State row={row} />
      </div>
      <div className={css['actions']}>
        {canCompare && (
          <button type="button" title="对比" aria-label={`对比 ${name}`} onClick={() => onCompare(id)}>
            <Columns2 size={18} aria-hidden />
          </button>
        )}
        {isAlone && status.at === 'done' && <DownloadRow row={row} outputs={status.outputs} />}
        {isAlone && !isActive(row) && (row.file !== undefined || row.key !== undefined) && (
          <button
            type="button"
            title={row.options ? '单独设置（已设）' : '单独设置'}
            aria-label={`单独设置 ${name}`}
            onClick={() => onSettings(id)}
            data-set={row.options !== undefined || undefined}
          >
            <SlidersHorizontal size={18} aria-hidden />
          </button>
        )}
        {canRetry && (
          <button
            type="button"
            title={status.at === 'done' ? '按当前设置重新处理' : '重试'}
            aria-label={`重试 ${name}`}
            onClick={() => startRows(page, [id])}
          >
            <RotateCcw size={18} aria-hidden />
          </button>
        )}
        {isActive(row) && (
          <button type="button" title="取消" aria-label={`取消 ${name}`} onClick={() => cancelRow(id)}>
            <Square size={16} aria-hidden />
          </button>
        )}
        <button type="button" title="移除并删除文件" aria-label={`移除 ${name}`} onClick={() => removeRows(page, [id])}>
          <X size={18} aria-hidden />
        </button>
      </div>
    </div>
  )
}

/** One result by its own address, several as a zip. */
function DownloadRow({ row, outputs }: { row: Row; outputs: readonly [Output, ...Output[]] }) {
  const label = `下载 ${row.name}`
  const icon = <Download size={18} aria-hidden />
  const [{ url, name }] = outputs
  if (outputs.length > 1) {
    return (
      <button type="button" title={`下载 ${outputs.length} 个文件`} aria-label={label} onClick={() => void download([row])}>
        {icon}
      </button>
    )
  }
  return (
    <a title="下载" aria-label={label} href={url} download={name}>
      {icon}
    </a>
  )
}
