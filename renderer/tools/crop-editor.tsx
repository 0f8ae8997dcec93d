import { useState } from 'react'
import { CropControls } from './crop-controls.tsx'
import { boundsOf, draftOf, optionsOf, placed, resetDraft, type CropDraft } from './crop-draft.ts'
import { EditorDialog } from './editor-dialog.tsx'
import { EditorFooter, ResetButton } from './editor-footer.tsx'
import { FieldSet } from './fields.tsx'
import { useEditedRow, whyNoPicture } from './use-edited-row.ts'
import { useTried } from './use-tried.ts'
import css from './crop-editor.module.css'
import { applyToAll } from '../state/batch.ts'
import { changeRow } from '../state/rows.ts'
import { checkedOptions, type Options } from '../state/settings.ts'
import { CropStage } from '../ui/crop-stage.tsx'
import { TurnedPicture } from '../ui/turned-picture.tsx'
import { cropImage } from '#shared/tools/crop-image'
import { initialOf } from '#shared/tools/field'

export interface EditorProps {
  readonly page: string
  readonly id: string
  /** Another file to edit, or none. */
  readonly onChange: (id: string | undefined) => void
}

/** What was changed of one file and is not saved yet: on its picture, or as numbers where it can't be shown. */
interface Edit {
  readonly id: string
  readonly draft?: CropDraft
  readonly values?: Options
}

/** The part that is kept of a picture, chosen on it or by numbers, with its turns. */
export function CropEditor({ page, id, onChange }: EditorProps) {
  const edited = useEditedRow(page, id)
  const { options, picture } = edited
  const [edit, setEdit] = useState<Edit>({ id })
  const { message, tried } = useTried()
  const mine = edit.id === id ? edit : { id }
  const draft = picture && (mine.draft ?? draftOf(picture, options))
  const values = mine.values ?? options
  const isChanged = mine.draft !== undefined || mine.values !== undefined
  const saved = (save: () => void): boolean =>
    tried(() => {
      if (!picture) checkedOptions(page, values)
      save()
    })
  const keep = (): boolean =>
    !isChanged || saved(() => changeRow(id, { options: picture && draft ? optionsOf(picture, draft, 'px') : values }))
  const close = (): void => onChange(undefined)
  const reset = (): void => setEdit(picture ? { id, draft: resetDraft(picture) } : { id, values: initialOf(cropImage.options) })
  const all = (): void => {
    if (saved(() => applyToAll(page, picture && draft ? optionsOf(picture, draft, 'percent') : values))) close()
  }
  return (
    <EditorDialog
      title="裁剪"
      edited={edited}
      keep={keep}
      onChange={onChange}
      footer={
        <EditorFooter
          first={<ResetButton onClick={reset} />}
          warning={message}
          all={{ hint: '每张图片都按同样的百分比裁剪', onClick: all }}
          done={{ label: '确定', onClick: () => keep() && close() }}
        />
      }
    >
      {picture && draft ? (
        <>
          <div className={css['stage']}>
            <CropStage
              label="裁剪框"
              box={draft.box}
              bounds={boundsOf(picture, draft)}
              isRound={draft.circle}
              onChange={(box) => setEdit({ id, draft: placed(draft, box, picture) })}
            >
              <TurnedPicture url={picture.url} size={picture} turning={draft} />
            </CropStage>
          </div>
          <CropControls source={picture} draft={draft} onChange={(changed) => setEdit({ id, draft: changed })} />
        </>
      ) : (
        <>
          <p className={css['none']}>{whyNoPicture(edited)}</p>
          <div className={css['numbers']}>
            <FieldSet fields={cropImage.options} values={values} onChange={(changed) => setEdit({ id, values: changed })} />
          </div>
        </>
      )}
    </EditorDialog>
  )
}
