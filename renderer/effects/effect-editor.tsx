import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { EffectBench } from './effect-bench.tsx'
import { fieldsIn, ownOptions } from './effect-draft.ts'
import css from './effect-editor.module.css'
import { applyToAll, startRows } from '../state/batch.ts'
import { madeNow } from '../state/redo.ts'
import { changeRow, isActive, type Row } from '../state/rows.ts'
import { checkedOptions, settingsAtom, type Options } from '../state/settings.ts'
import type { EditorProps } from '../tools/crop-editor.tsx'
import { EditorDialog } from '../tools/editor-dialog.tsx'
import { EditorFooter, ResetButton } from '../tools/editor-footer.tsx'
import { FieldSet } from '../tools/fields.tsx'
import { useEditedRow } from '../tools/use-edited-row.ts'
import { useTried } from '../tools/use-tried.ts'
import { isEffectId } from '#shared/effects/load-effect'
import { isShownByBrowsers } from '#shared/formats'
import { findPage } from '#shared/tools/index'

/** Options of one file that were changed and are not kept yet. */
interface Edit {
  readonly id: string
  readonly values?: Options
}

/** The address of a row's result, where the options of now would make it again. */
function resultOf(row: Row, values: Options): string | undefined {
  if (row.status.at !== 'done' || row.made?.text !== madeNow(row.page, values, undefined)?.text) return undefined
  const [output] = row.status.outputs
  return isShownByBrowsers(output.format) ? output.url : undefined
}

/** What an effect makes of a picture, seen before it is made. */
export function EffectEditor({ page, id, onChange }: EditorProps) {
  const edited = useEditedRow(page, id)
  const { row, options, picture, isPending, total } = edited
  const common = useAtomValue(settingsAtom(page))
  const [edit, setEdit] = useState<Edit>({ id })
  const { message, tried } = useTried()
  const found = findPage(page)
  const values = edit.id === id && edit.values ? edit.values : options
  const isChanged = JSON.stringify(values) !== JSON.stringify(options)
  const isDone = row.status.at === 'done'
  if (!found || !isEffectId(found.tool.id)) return null
  const keep = (): boolean =>
    !isChanged ||
    tried(() => {
      checkedOptions(page, values)
      changeRow(id, { options: ownOptions(row.options, common, values) })
    })
  const close = (): void => onChange(undefined)
  const apply = (): void => {
    if (!keep()) return
    if (!isDone || !isChanged || tried(() => startRows(page, [id]))) close()
  }
  const all = (): void => {
    if (tried(() => applyToAll(page, Object.fromEntries(Object.keys(found.tool.options).map((key) => [key, values[key]]))))) close()
  }
  const fields = fieldsIn(found, values)
  return (
    <EditorDialog
      title="预览与调整"
      edited={edited}
      keep={keep}
      onChange={onChange}
      isLarge
      footer={
        <EditorFooter
          first={<ResetButton onClick={() => setEdit({ id, values: { ...options, ...common } })} />}
          warning={message}
          all={total > 1 && { hint: '本页图片都用这样的设置', onClick: all }}
          done={{
            label: isDone && isChanged ? '应用并重新处理' : isDone ? '关闭' : '应用到此图片',
            onClick: apply,
            isDisabled: isActive(row),
          }}
        />
      }
    >
      {picture && row.file ? (
        <EffectBench
          key={id}
          page={page}
          effect={found.tool.id}
          file={row.file}
          picture={picture}
          values={values}
          result={resultOf(row, values)}
          fields={fields}
          onChange={(changed) => setEdit({ id, values: changed })}
        />
      ) : (
        <>
          <p className={css['none']}>{whyNone(isPending, row.file !== undefined)}</p>
          <div className={css['panel']}>
            <FieldSet fields={fields} values={values} page={page} onChange={(changed) => setEdit({ id, values: changed })} />
          </div>
        </>
      )}
    </EditorDialog>
  )
}

function whyNone(isPending: boolean, hasFile: boolean): string {
  if (isPending) return '正在读取…'
  return hasFile ? '浏览器无法显示此格式，不能预览；强度照样可以调整。' : '原图已不在本页，不能预览；强度照样可以调整。'
}
