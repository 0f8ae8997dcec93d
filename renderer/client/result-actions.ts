import { ExternalLink, FolderOpen, Save } from 'lucide-react'
import { openResults, saveResultAs, showResults } from './results.ts'
import type { Row } from '../state/rows.ts'
import type { RowAction } from '../tools/row-actions.ts'

/** What can be done with results that lie on this computer, in place of downloading them. */
export function localActions(row: Row, count: number): readonly RowAction[] {
  const { jobId } = row
  if (jobId === undefined) return []
  const show: RowAction = {
    key: 'show',
    label: '打开文件夹',
    title: count > 1 ? `打开 ${count} 个文件所在的文件夹` : '打开所在文件夹',
    Icon: FolderOpen,
    run: () => void showResults([row]),
  }
  if (count > 1) return [show]
  return [
    { key: 'open', label: '打开', title: '打开（双击）', Icon: ExternalLink, run: () => void openResults(row) },
    show,
    { key: 'save-as', label: '另存为', title: '另存为…', Icon: Save, isMinor: true, run: () => void saveResultAs(jobId, 0) },
  ]
}
