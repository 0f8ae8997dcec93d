import { useState } from 'react'
import { useAtomValue } from 'jotai'
import type { EditorProps } from './crop-editor.tsx'
import { EditorDialog } from './editor-dialog.tsx'
import { EditorFooter } from './editor-footer.tsx'
import {
  cropOf,
  cropOptionsOf,
  firstMarks,
  foundMarks,
  groundOf,
  moved,
  planned,
  rangeOf,
  type PhotoCrop,
  type PlannedPhoto,
} from './id-photo-draft.ts'
import { headLines, LineNumbers, PhotoKind, PhotoPreview } from './id-photo-panel.tsx'
import { useEditedRow } from './use-edited-row.ts'
import css from './id-photo-editor.module.css'
import { madeNow } from '../state/redo.ts'
import { changeRow } from '../state/rows.ts'
import { settingsAtom } from '../state/settings.ts'
import { HeadStage } from '../ui/head-stage.tsx'
import { messageOf } from '../words.ts'

/** A crop that was changed and is not saved yet. */
interface Edit {
  readonly id: string
  readonly crop: PhotoCrop
}

/** An ID photo: what kind it is, its background, and where in the picture the head lies. */
export function IdPhotoEditor({ page, id, onChange }: EditorProps) {
  const edited = useEditedRow(page, id)
  const { row, options, picture, isPending } = edited
  const common = useAtomValue(settingsAtom(page))
  const [edit, setEdit] = useState<Edit | undefined>()
  const isChanged = edit?.id === id
  const crop = isChanged ? edit.crop : cropOf(options)
  const shown = { ...options, ...cropOptionsOf(crop) }
  const done = row.status.at === 'done' ? row.status : undefined
  const found = foundMarks(done?.outputs[0].head)
  const hasNoFace = done?.note?.kind === 'no-face'
  const lines = typeof crop === 'string' ? (found ?? firstMarks) : crop
  const marks = crop === 'auto' || (crop === 'face' && !found) ? undefined : lines
  const plan = picture && planned(picture, options, marks)
  const warning = plan && crop !== 'face' ? warningOf(plan) : ''
  const result = done && row.made?.text === madeNow(page, shown, undefined)?.text ? done.outputs[0] : undefined
  const set = (changed: PhotoCrop): void => setEdit({ id, crop: changed })
  const keep = (): boolean => {
    if (isChanged) changeRow(id, { options: { ...row.options, ...cropOptionsOf(crop) } })
    return true
  }
  const close = (): void => onChange(undefined)
  const turn = -(marks?.tilt ?? 0)
  return (
    <EditorDialog
      title="证件照"
      edited={edited}
      keep={keep}
      onChange={onChange}
      footer={
        <EditorFooter
          first={<CropChoice crop={crop} onChange={set} />}
          warning={warning}
          done={{ label: '确定', onClick: () => keep() && close() }}
        />
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
            isFaint={crop === 'face' && !found && !hasNoFace}
            lines={headLines.map(({ key, label }) => {
              const [least, most] = rangeOf(lines, key)
              return { key, label, at: lines[key], least, most, isUpright: key === 'centre' }
            })}
            onMove={(line, to) => set(moved(lines, line, to))}
          />
        </div>
      ) : (
        <p className={css['none']}>{isPending ? '正在读取…' : '此格式无法预览，请填写数值'}</p>
      )}
      <div className={css['panel']}>
        <PhotoKind page={page} common={common} plan={plan} />
        <div className={css['result']}>
          {picture && plan && <PhotoPreview picture={picture} plan={plan} turn={turn} ground={groundOf(options)} result={result} />}
          <p>{adviceOf(crop, found !== undefined, hasNoFace)}</p>
        </div>
        <LineNumbers marks={lines} onChange={set} />
      </div>
    </EditorDialog>
  )
}

const ways = [
  ['face', '自动识别'],
  ['auto', '自动居中'],
] as const

/** The ways of cutting that need no lines. */
function CropChoice({ crop, onChange }: { crop: PhotoCrop; onChange: (crop: PhotoCrop) => void }) {
  return (
    <div role="group" aria-label="裁剪" className={css['ways']}>
      {ways.map(([way, label]) => (
        <button key={way} type="button" aria-pressed={crop === way} onClick={() => onChange(way)}>
          {label}
        </button>
      ))}
    </div>
  )
}

function adviceOf(crop: PhotoCrop, isFound: boolean, hasNoFace: boolean): string {
  if (hasNoFace && crop === 'face') return '没有识别到人脸，请把三条线移到头顶、眼睛和下巴。'
  if (crop === 'face') return isFound ? '已识别到头部。位置不准时，移动这几条线即可。' : '处理时自动识别人脸，也可以自己移动这几条线。'
  return '把三条线移到头顶、眼睛和下巴，照片就按规格裁好。'
}

/** Enlarged further than this, the tool refuses; further than half of it, the photo may look soft. */
const MOST_TIMES = 4

function warningOf({ isHeadWhole, times }: PlannedPhoto): string {
  if (!isHeadWhole) return messageOf({ code: 'options.head-outside', data: {} })
  if (times > MOST_TIMES) return '图片太小，放大后看不清，请换一张更大的照片。'
  return times > MOST_TIMES / 2 ? `照片会放大 ${times.toFixed(1)} 倍，可能不够清晰。` : ''
}
