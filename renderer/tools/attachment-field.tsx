import { useId, useRef, useState, type DragEvent } from 'react'
import { useAtomValue } from 'jotai'
import { ImagePlus } from 'lucide-react'
import { typesOf } from './add-buttons.tsx'
import css from './attachment-field.module.css'
import { Picture } from './row-parts.tsx'
import { attachmentAtom, chooseAttachment } from '../state/attachment.ts'
import { messageOf } from '../words.ts'
import { findPage } from '#shared/tools/index'
import { formatBytes } from '#shared/units'

const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

/** The second file of a page's jobs, a background picture: chosen by a button or dropped, exchanged, taken away. */
export function AttachmentField({ page }: { page: string }) {
  const { file, thumbnail, error, fraction } = useAtomValue(attachmentAtom(page))
  const attachment = findPage(page)?.tool.attachment
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const main = useRef<HTMLButtonElement>(null)
  const id = useId()
  if (!attachment) return null
  const drag = (event: DragEvent): void => {
    if (!hasFile(event)) return
    // So that the page does not take it for one of its files.
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (!dropped) return
    event.preventDefault()
    chooseAttachment(page, dropped)
  }
  const pick = (chosen: HTMLInputElement): void => {
    const [picked] = chosen.files ?? []
    if (picked) chooseAttachment(page, picked)
    // The same file picked again must be a change again.
    chosen.value = ''
  }
  const open = (): void => input.current?.click()
  return (
    <div role="group" aria-label={attachment.label} aria-describedby={id}>
      <div className={css['box']} data-over={isOver || undefined} onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
        {file ? (
          <>
            <span className={css['picture']}>
              <Picture thumbnail={thumbnail} />
            </span>
            <div className={css['about']}>
              <b title={file.name}>{file.name}</b>
              <small>{fraction === undefined ? formatBytes(file.size) : `上传中 ${Math.round(fraction * 100)}%`}</small>
            </div>
            <button ref={main} type="button" aria-label={`更换${attachment.label}`} onClick={open}>
              更换
            </button>
            <button
              type="button"
              aria-label={`移除${attachment.label}`}
              onClick={() => {
                // This button goes; the one that stays has the focus.
                main.current?.focus()
                chooseAttachment(page, undefined)
              }}
            >
              移除
            </button>
          </>
        ) : (
          <button ref={main} type="button" className={css['choose']} onClick={open}>
            <ImagePlus size={18} aria-hidden />
            {isOver ? `松开鼠标，用作${attachment.label}` : `选择${attachment.label}`}
            {!isOver && <span className={css['byMouse']}>，或拖到这里</span>}
          </button>
        )}
        <input ref={input} type="file" hidden accept={typesOf(attachment.accepts)} onChange={({ target }) => pick(target)} />
      </div>
      <p id={id} className={error ? css['wrong'] : css['note']} role={error && 'alert'}>
        {error ? messageOf(error) : '本页文件共用这一张'}
      </p>
    </div>
  )
}
