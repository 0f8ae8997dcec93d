import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { PageForm } from './page-form.tsx'
import { useTried } from './use-tried.ts'
import css from './row-settings.module.css'
import { changeRow, rowAtom } from '../state/rows.ts'
import { checkedOptions, settingsAtom, type Options } from '../state/settings.ts'
import { Sheet } from '../ui/sheet.tsx'

interface Props {
  readonly id: string
  readonly onClose: () => void
}

/** Settings of one file alone; they hold at its next start. */
export function RowSettings({ id, onClose }: Props) {
  const { name, options, page } = useAtomValue(rowAtom(id))
  const common = useAtomValue(settingsAtom(page))
  const [values, setValues] = useState<Options>({ ...common, ...options })
  const { message, tried } = useTried()
  const apply = (): void => {
    if (!tried(() => void checkedOptions(page, values))) return
    changeRow(id, { options: values })
    onClose()
  }
  const reset = (): void => {
    changeRow(id, { options: undefined })
    onClose()
  }
  return (
    <Sheet title="单独设置" note={name} onClose={onClose}>
      <PageForm path={page} id={id} values={values} onChange={setValues} />
      {message && (
        <p role="alert" className={css['alert']}>
          {message}
        </p>
      )}
      <div className={css['buttons']}>
        {options !== undefined && (
          <button type="button" onClick={reset}>
            恢复统一设置
          </button>
        )}
        <button type="button" onClick={onClose}>
          取消
        </button>
        <button type="button" className={css['primary']} onClick={apply}>
          确定
        </button>
      </div>
    </Sheet>
  )
}
