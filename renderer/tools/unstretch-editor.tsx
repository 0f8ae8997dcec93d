import { useState } from 'react'
import cropCss from './crop-editor.module.css'
import type { EditorProps } from './crop-editor.tsx'
import { EditorDialog } from './editor-dialog.tsx'
import { EditorFooter, ResetButton } from './editor-footer.tsx'
import { FieldSet } from './fields.tsx'
import { UnstretchControls } from './unstretch-controls.tsx'
import { draftOf, optionsOf, type WidthDraft } from './unstretch-draft.ts'
import css from './unstretch-editor.module.css'
import { UnstretchStage } from './unstretch-stage.tsx'
import { useEditedRow, whyNoPicture } from './use-edited-row.ts'
import { useTried } from './use-tried.ts'
import { applyToAll } from '../state/batch.ts'
import { changeRow } from '../state/rows.ts'
import { checkedOptions, type Options } from '../state/settings.ts'
import { unstretch } from '#shared/tools/unstretch'

/** What was changed of one file and is not saved yet: on its picture, or as numbers where it can't be shown. */
interface Edit {
  readonly id: string
  readonly draft?: WidthDraft
  readonly values?: Options
}

const { ratio, method } = unstretch.options
const fields = { ratio, method }

/** What a picture's width becomes, tried on the picture itself. */
export function UnstretchEditor({ page, id, onChange }: EditorProps) {
  const edited = useEditedRow(page, id)
  const { row, options, picture } = edited
  const [edit, setEdit] = useState<Edit>({ id })
  const [hasCircle, setCircle] = useState(false)
  const { message, tried } = useTried()
  const mine = edit.id === id ? edit : { id }
  const draft = mine.draft ?? draftOf(options)
  const values = mine.values ?? options
  const isChanged = mine.draft !== undefined || mine.values !== undefined
  const chosen = (): Options => (picture ? optionsOf(draft) : { ratio: values['ratio'], method: values['method'] })
  const saved = (save: () => void): boolean =>
    tried(() => {
      checkedOptions(page, { ...options, ...chosen() })
      save()
    })
  const keep = (): boolean => !isChanged || saved(() => changeRow(id, { options: { ...row.options, ...chosen() } }))
  const close = (): void => onChange(undefined)
  const reset = (): void => setEdit({ id, draft: { ...draft, width: 100, isAuto: true }, values: { ...values, ratio: { by: 'auto' } } })
  const all = (): void => {
    if (saved(() => applyToAll(page, chosen()))) close()
  }
  return (
    <EditorDialog
      title="调整比例"
      edited={edited}
      keep={keep}
      onChange={onChange}
      footer={
        <EditorFooter
          first={<ResetButton onClick={reset} />}
          warning={message}
          all={{ hint: '每张图片的宽度都按同样的百分比改变', onClick: all }}
          done={{ label: '确定', onClick: () => keep() && close() }}
        />
      }
    >
      {picture ? (
        <>
          <div className={css['stage']}>
            <UnstretchStage picture={picture} draft={draft} hasCircle={hasCircle} onChange={(changed) => setEdit({ id, draft: changed })} />
          </div>
          <UnstretchControls
            source={picture}
            draft={draft}
            hasCircle={hasCircle}
            onChange={(changed) => setEdit({ id, draft: changed })}
            onCircle={setCircle}
          />
        </>
      ) : (
        <>
          <p className={cropCss['none']}>{whyNoPicture(edited)}</p>
          <div className={cropCss['numbers']}>
            <FieldSet fields={fields} values={values} onChange={(changed) => setEdit({ id, values: changed })} />
          </div>
        </>
      )}
    </EditorDialog>
  )
}
