import { FolderOpen, Upload } from 'lucide-react'
import { AddButtons } from './add-buttons.tsx'
import css from './drop-zone.module.css'
import { isClient } from '../platform/desktop.ts'
import { MAX_ROWS, type Picked } from '../state/batch.ts'
import { thingOf } from '../text.ts'
import { words } from '../words.ts'
import { formatLabels, type FormatId } from '#shared/formats'
import { MAX_PDF_PAGES } from '#shared/tools/pdf-source'

// Nothing is uploaded in the client.
const Icon = isClient ? FolderOpen : Upload

interface Props {
  readonly accepts: readonly FormatId[] | 'any'
  readonly isDragging: boolean
  readonly onPick: (picked: readonly Picked[]) => void
}

/** What an empty page shows: where files come from, which ones, and how long they stay. */
export function DropZone({ accepts, isDragging, onPick }: Props) {
  const thing = thingOf(accepts)
  return (
    <div className={css['zone']} data-dragging={isDragging || undefined}>
      <span className={css['icon']}>
        <Icon size={28} aria-hidden />
      </span>
      <AddButtons accepts={accepts} isLarge onPick={onPick} />
      <p className={css['byMouse']}>{isDragging ? `松开鼠标，添加${thing}`.trim() : `拖拽${thing}或文件夹到此处，或按 Ctrl+V 粘贴`}</p>
      <p className={css['byTouch']}>{thing === ' PDF ' ? '从文件中多选' : '从相册或文件中多选'}</p>
      <p className={css['small']}>
        <span>{accepts === 'any' ? '任意文件' : formatLabels(accepts)}</span>
        <i> · </i>
        <span>
          单个 {words.maxFile.text}
          {thing === ' PDF ' ? `、${MAX_PDF_PAGES} 页以内` : ' 以内'}
        </span>
        <i> · </i>
        <span>一次最多 {MAX_ROWS} 个</span>
        <br />
        {words.stay}
      </p>
    </div>
  )
}
