import type { Loading } from './use-parts.ts'
import css from './unready.module.css'
import { isActive, type Row } from '../state/rows.ts'
import { statusText } from '../row-text.ts'
import { words as ours } from '../words.ts'

/** What is to be done, and how it begins. */
interface Words {
  readonly work: string
  /** What comes before it, and the button that begins that. */
  readonly first: string
  readonly start: string
}

interface Props {
  readonly words: Words
  readonly row: Row
  /** Undefined where there is nothing to load before the row has been processed. */
  readonly loading: Loading | undefined
  /** Whether the browser can't open what was loaded. */
  readonly isUnreadable: boolean
  readonly onRetry: () => void
  readonly onStart: () => void
}

/** Why there is no picture to work on, and what leads to one. */
export function Unready({ row, words, loading, isUnreadable, onRetry, onStart }: Props) {
  const { text, action } = wordsOf(row, words, loading, isUnreadable)
  const hasSource = row.file !== undefined || row.key !== undefined
  return (
    <div className={css['unready']}>
      <p role={action === 'load' ? 'alert' : 'status'}>{text}</p>
      {action === 'load' && (
        <button type="button" onClick={onRetry}>
          重试
        </button>
      )}
      {action !== undefined && action !== 'load' && hasSource && (
        <button type="button" data-primary onClick={onStart}>
          {action}
        </button>
      )}
    </div>
  )
}

/** The words, and what can be done: load again, or process the file under that name. */
function wordsOf(
  row: Row,
  { work, first, start }: Words,
  loading: Loading | undefined,
  isUnreadable: boolean,
): { text: string; action?: string } {
  if (isActive(row)) return { text: statusText(row.status).text }
  if (isUnreadable) {
    return row.status.at === 'done'
      ? { text: '图片没有打开，请重试。', action: 'load' }
      : { text: '未识别到主体，浏览器也无法显示此格式的图片。可转成 JPG 后再试。' }
  }
  switch (loading?.at) {
    case undefined:
      break
    case 'loading':
    case 'loaded':
      return { text: '正在读取…' }
    case 'failed':
      return { text: '图片加载失败，请检查网络后重试。', action: 'load' }
    case 'gone':
      if (row.status.at === 'failed') return { text: '未识别到主体，原图也已不在本页。请重新添加图片，再用画笔选取。' }
      return row.file === undefined && row.key === undefined
        ? { text: `${work}所需的文件${ours.partsGone}，${ours.sourceGone}。` }
        : { text: `${work}所需的文件${ours.partsGone}，重新处理后即可${work}。`, action: '重新处理' }
  }
  if (row.status.at === 'ready') return { text: first, action: start }
  return { text: statusText(row.status).text, action: '重新处理' }
}
