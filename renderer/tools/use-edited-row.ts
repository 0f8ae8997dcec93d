import { useMemo } from 'react'
import { useAtomValue } from 'jotai'
import { useObjectUrl } from './use-object-url.ts'
import { listAtom, rowAtom, thumbnailAtom, type Row } from '../state/rows.ts'
import { settingsAtom, type Options } from '../state/settings.ts'
import type { Size } from '#shared/resize'

/** A picture the browser can show, with its upright size. */
export interface ShownPicture extends Size {
  readonly url: string
}

/** A row that is open in an editor. */
export interface EditedRow {
  readonly row: Row
  /** The page's options under those of the row. */
  readonly options: Options
  /** Undefined where the browser can't show it, or no longer has it. */
  readonly picture: ShownPicture | undefined
  readonly isPending: boolean
  /** From 1, among the page's rows. */
  readonly position: number
  readonly total: number
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** What an editor has to know of a row. */
export function useEditedRow(page: string, id: string): EditedRow {
  const ids = useAtomValue(listAtom(page))
  const row = useAtomValue(rowAtom(id))
  const thumbnail = useAtomValue(thumbnailAtom(id))
  const common = useAtomValue(settingsAtom(page))
  const url = useObjectUrl(row.file)
  const options = useMemo(() => ({ ...common, ...row.options }), [common, row.options])
  const at = ids.indexOf(id)
  const isShown = thumbnail.kind === 'picture' && thumbnail.width > 0 && url !== undefined
  return {
    row,
    options,
    picture: isShown ? { url, width: thumbnail.width, height: thumbnail.height } : undefined,
    isPending: row.file !== undefined && thumbnail.kind === 'pending',
    position: at + 1,
    total: ids.length,
    previous: ids[at - 1],
    next: ids[at + 1],
  }
}

/** Why there is no picture to work on; numbers can be given all the same. */
export function whyNoPicture({ isPending, row }: EditedRow): string {
  if (isPending) return '正在读取…'
  return row.file === undefined ? '原图已不在本页，请填写数值' : '此格式无法预览，请填写数值'
}
