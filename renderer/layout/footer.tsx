import { useAtomValue } from 'jotai'
import css from './footer.module.css'
import { partnerAtom } from '../state/session.ts'

/** Who runs the site. Company, licence and registration are the operator's to fill in. */
export function Footer() {
  const isPartner = useAtomValue(partnerAtom)
  return (
    <footer className={css['footer']}>
      <p>上传的文件 2 小时后自动删除，也可随时立即删除；不会用于其他用途。</p>
      <p>{isPartner ? '© 2026 轻图 · 合作伙伴版' : '© 2026 轻图'}</p>
    </footer>
  )
}
