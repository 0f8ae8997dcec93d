import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { stepUpdate, updateAtom } from './client-state.ts'
import { updateWords } from './update-words.ts'
import css from './update-banner.module.css'

/** Says that a newer version is there, and what can be done about it; put off, it says so again when that has changed, or at the next start. */
export function UpdateBanner() {
  const update = useAtomValue(updateAtom)
  const [putOff, setPutOff] = useState('')
  const isShown = (update.at === 'found' || update.at === 'ready') && putOff !== update.at
  const { text, button, step } = updateWords(update, '')
  return (
    <div aria-live="polite">
      {isShown && (
        <p className={css['banner']}>
          {text}
          {step && (
            <button type="button" onClick={() => void stepUpdate(step)}>
              {button}
            </button>
          )}
          <button type="button" onClick={() => setPutOff(update.at)}>
            以后再说
          </button>
        </p>
      )}
    </div>
  )
}
