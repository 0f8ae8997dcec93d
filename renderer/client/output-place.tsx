import { useId } from 'react'
import { useAtomValue } from 'jotai'
import { choosePlace, clientSettingsAtom, placeText } from './client-state.ts'
import css from './output-place.module.css'
import type { OutputPlace } from '#shared/desktop'

type Choice = OutputPlace | 'other'

const isChoice = (value: string): value is Choice => ['subfolder', 'beside', 'folder', 'other'].includes(value)

/** Where results go: said in a line, and changed there. */
export function OutputPlaceLine() {
  const id = useId()
  const output = useAtomValue(clientSettingsAtom)?.output
  // Its line is kept until it is known.
  if (!output) return <p className={css['line']}>&nbsp;</p>
  const { place, folder } = output
  return (
    <p className={css['line']}>
      <label htmlFor={id}>保存到</label>
      <select
        id={id}
        value={place}
        title={placeText(output)}
        onChange={({ target }) => isChoice(target.value) && void choosePlace(target.value)}
      >
        <option value="subfolder">{placeText({ place: 'subfolder', folder })}</option>
        <option value="beside">{placeText({ place: 'beside', folder })}</option>
        <option value="folder">{folder === '' ? '指定文件夹…' : folder}</option>
        {folder !== '' && <option value="other">其他文件夹…</option>}
      </select>
    </p>
  )
}
