import { useEffect, useRef, useState } from 'react'
import { useAtomValue } from 'jotai'
import { FolderOpen, X } from 'lucide-react'
import css from './bar-part.module.css'
import { clientSettingsAtom, placeText } from './client-state.ts'
import { OutputPlaceLine } from './output-place.tsx'
import { showResults } from './results.ts'
import { rowsOf } from '../state/rows.ts'
import { totalsAtom } from '../state/totals.ts'

const SHOWN_MS = 10_000

/** In the bar under a page's files: where their results go, and, once all is done, where they are. */
export function BarPart({ page }: { page: string }) {
  return (
    <>
      <OutputPlaceLine />
      <Saved page={page} />
    </>
  )
}

/** The way to the results, for the bar's buttons. */
export function ShowAll({ page, className }: { page: string; className: string | undefined }) {
  return (
    <button type="button" className={className} title="打开结果所在的文件夹" onClick={() => void showResults(rowsOf(page))}>
      <FolderOpen size={18} aria-hidden />
      打开文件夹
    </button>
  )
}

/** Says for a while, when the last file of a batch has ended, what came of it and where the results are. */
function Saved({ page }: { page: string }) {
  const { active, done, failed } = useAtomValue(totalsAtom(page))
  const output = useAtomValue(clientSettingsAtom)?.output
  const [text, setText] = useState('')
  const before = useRef({ active, done })
  useEffect(() => {
    const hasEnded = before.current.active > 0 && active === 0 && done > 0
    before.current = { active, done }
    if (active > 0) setText('')
    if (!hasEnded || !output) return
    setText(`全部完成：成功 ${done} 个${failed > 0 ? `，失败 ${failed} 个` : ''}，已保存到${placeText(output)}`)
  }, [active, done, failed, output])
  useEffect(() => {
    const timer = text === '' ? undefined : setTimeout(() => setText(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={css['place']} role="status">
      {text !== '' && (
        <p className={css['toast']}>
          {text}
          <button type="button" onClick={() => void showResults(rowsOf(page))}>
            打开文件夹
          </button>
          <button type="button" aria-label="关闭" onClick={() => setText('')}>
            <X size={16} aria-hidden />
          </button>
        </p>
      )}
    </div>
  )
}
