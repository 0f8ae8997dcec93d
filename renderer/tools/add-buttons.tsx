import { useRef } from 'react'
import { FilePlus2, FolderPlus, ImagePlus } from 'lucide-react'
import css from './add-buttons.module.css'
import { inputFiles } from '../platform/picked-files.ts'
import type { Picked } from '../state/batch.ts'
import { thingOf } from '../text.ts'
import { words } from '../words.ts'
import { formats, type FormatId } from '#shared/formats'

interface Props {
  readonly accepts: readonly FormatId[] | 'any'
  readonly onPick: (picked: readonly Picked[]) => void
  /** Large, in the middle of an empty page; else small, in its head. */
  readonly isLarge?: boolean
}

/** What a file dialog is to offer: types, and endings for those that systems have no type for. */
export const typesOf = (accepts: readonly FormatId[]): string =>
  accepts.flatMap((id) => [formats[id].mime, ...formats[id].extensions.map((extension) => `.${extension}`)]).join(',')

/** Buttons that open the system's dialogs for files and for a folder. */
export function AddButtons({ accepts, onPick, isLarge = false }: Props) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const Icon = accepts === 'any' || accepts.includes('pdf') ? FilePlus2 : ImagePlus
  const types = accepts === 'any' ? undefined : typesOf(accepts)
  const pick = (input: HTMLInputElement): void => {
    onPick(inputFiles(input.files))
    // The same file picked again must be a change again.
    input.value = ''
  }
  return (
    <div className={css['buttons']} data-large={isLarge || undefined}>
      <button
        type="button"
        className={isLarge ? css['primary'] : css['line']}
        data-command="open-files"
        title={words.tips['open-files']}
        onClick={() => files.current?.click()}
      >
        <Icon size={18} aria-hidden />
        {`${isLarge ? '选择' : '添加'}${thingOf(accepts)}`.trim()}
      </button>
      <button
        type="button"
        className={css['line']}
        data-command="open-folder"
        title={words.tips['open-folder']}
        onClick={() => folder.current?.click()}
      >
        <FolderPlus size={18} aria-hidden />
        {isLarge ? '选择文件夹' : '添加文件夹'}
      </button>
      <input ref={files} type="file" multiple hidden accept={types} onChange={({ target }) => pick(target)} />
      <input ref={folder} type="file" multiple hidden {...{ webkitdirectory: '' }} onChange={({ target }) => pick(target)} />
    </div>
  )
}
