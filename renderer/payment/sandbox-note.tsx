import { useAtomValue } from 'jotai'
import css from './sandbox-note.module.css'
import { siteAtom } from '../state/site.ts'

/** Says that nobody pays anything, where that is so. */
export function SandboxNote() {
  const isSandbox = useAtomValue(siteAtom)?.isSandbox ?? false
  return isSandbox && <p className={css['note']}>沙箱支付：仅供试用，不会真实扣款。</p>
}
