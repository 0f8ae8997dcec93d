import { useState } from 'react'
import { useAtomValue } from 'jotai'
import type { EditorProps } from './crop-editor.tsx'
import { EditorDialog } from './editor-dialog.tsx'
import { cropOptionsOf, firstMarks, marksOf, moved, planned, rangeOf, type HeadDraft, type PlannedPhoto } from './id-photo-draft.ts'
import { headLines, LineNumbers, PhotoKind, PhotoPreview } from './id-photo-panel.tsx'
import { useEditedRow } from './use-edited-row.ts'
import css from './id-photo-editor.module.css'
import { changeRow } from '../state/rows.ts'
import { settingsAtom } from '../state/settings.ts'
import { HeadStage } from '../ui/head-stage.tsx'
import { messageOf } from '#shared/errors/app-error'

/** Lines that were moved and are not saved yet; none of them where the photo shall be cut in its middle. */
interface Edit {
  readonly id: string
  readonly marks: HeadDraft | undefined
}

/** An ID photo: what kind it is, and where in the picture the head lies. */
export function IdPhotoEditor({ page, id, onChange }: EditorProps) {
  const { row, options, picture, isPending, position, total, previous, next } = useEditedRow(page, id)
  const common = useAtomValue(settingsAtom(page))
  const [edit, setEdit] = useState<Edit | undefined>()
  const isChanged = edit?.id === id
  const marks = isChanged ? edit.marks : marksOf(options)
  const plan = picture && planned(picture, options, marks)
  const set = (changed: HeadDraft | undefined): void => setEdit({ id, marks: changed })
  const keep = (): void => {
    if (isChanged) changeRow(id, { options: { ...row.options, ...cropOptionsOf(marks) } })
  }
  const go = (to: string | undefined) =>
    to === undefined
      ? undefined
      : () => {
          keep()
          onChange(to)
        }
  const close = (): void => onChange(undefined)
  const turn = -(marks?.tilt ?? 0)
  return (
    <EditorDialog
      title="证件照"
      name={row.name}
      position={position}
      total={total}
      onPrevious={go(previous)}
      onNext={go(next)}
      onClose={close}
      footer={
        <>
          <button type="button" onClick={() => set(undefined)}>
            自动居中
          </button>
          <p role={plan && warningOf(plan) ? 'alert' : undefined}>{plan && warningOf(plan)}</p>
          <button
            type="button"
            data-primary
            onClick={() => {
              keep()
              close()
            }}
          >
            确定
          </button>
        </>
      }
    >
      {picture && plan ? (
        <div className={css['stage']}>
          <HeadStage
            url={picture.url}
            width={picture.width}
            height={picture.height}
            turn={turn}
            frame={plan.frame}
            lines={headLines.map(({ key, label }) => {
              const [least, most] = rangeOf(marks ?? firstMarks, key)
              return { key, label, at: (marks ?? firstMarks)[key], least, most, isUpright: key === 'centre' }
            })}
            onMove={(line, to) => set(moved(marks ?? firstMarks, line, to))}
          />
        </div>
      ) : (
        <p className={css['none']}>{isPending ? '正在读取…' : '此格式无法预览，请填写数值'}</p>
      )}
      <div className={css['panel']}>
        <PhotoKind page={page} common={common} plan={plan} />
        <div className={css['result']}>
          {picture && plan && <PhotoPreview picture={picture} plan={plan} turn={turn} />}
          <p>
            把三条线移到头顶、眼睛和下巴，照片就按规格裁好。不移动则自动居中。
            <br />
            <br />
            换底色功能随抠图上线。
          </p>
        </div>
        <LineNumbers marks={marks} onChange={set} />
      </div>
    </EditorDialog>
  )
}

/** Enlarged further than this, the tool refuses; further than half of it, the photo may look soft. */
const MOST_TIMES = 4

function warningOf({ isHeadWhole, times }: PlannedPhoto): string {
  if (!isHeadWhole) return messageOf({ code: 'options.head-outside', data: {} })
  if (times > MOST_TIMES) return '图片太小，放大后看不清，请换一张更大的照片。'
  return times > MOST_TIMES / 2 ? `照片会放大 ${times.toFixed(1)} 倍，可能不够清晰。` : ''
}
