import { useAtomValue } from 'jotai'
import css from './settings-dialog.module.css'
import { stepUpdate, updateAtom } from './client-state.ts'
import { updateWords } from './update-words.ts'
import { desktop } from '../platform/desktop.ts'

/** How an update stands, and what can be done about it. */
export function UpdateLine() {
  const { text, button, step } = updateWords(useAtomValue(updateAtom), desktop?.version ?? '')
  return (
    <p className={css['update']}>
      <span role="status">{text}</span>
      {step && (
        <button type="button" onClick={() => void stepUpdate(step)}>
          {button}
        </button>
      )}
    </p>
  )
}
