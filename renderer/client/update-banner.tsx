import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { stepUpdate, updateAtom } from './client-state.ts'
import css from './update-banner.module.css'

/** Says that a newer version is there, and what can be done about it; put off, it says so again when that has changed, or at the next start. */
export function UpdateBanner() {
  const update = useAtomValue(updateAtom)
  const [putOff, setPutOff] = useState('')
  const isShown = (update.at === 'found' || update.at === 'ready') && putOff !== update.at
  return (
    <div aria-live="polite">
      {isShown && (
        <p className={css['banner']}>
          {update.at === 'ready' ? `新版本 ${update.version} 已下载，重新启动后更新` : `发现新版本 ${update.version}`}
          <button type="button" onClick={() => void stepUpdate(update.at === 'ready' ? 'updates:install' : 'updates:download')}>
            {update.at === 'ready' ? '立即更新' : '下载更新'}
          </button>
          <button type="button" onClick={() => setPutOff(update.at)}>
            以后再说
          </button>
        </p>
      )}
    </div>
  )
}
