import { useEffect } from 'react'
import { useAtomValue } from 'jotai'
import { useObjectUrl } from './use-object-url.ts'
import { listAtom, readRow, rowAtom, thumbnailAtom, type Row, type Thumbnail } from '../state/rows.ts'
import { CompareDialog } from '../ui/compare-dialog.tsx'
import { findPage } from '#shared/tools/index'

interface Props {
  readonly page: string
  readonly id: string
  readonly onChange: (id: string | undefined) => void
}

/** Before and after of one done file, and from there of the next and the previous. */
export function Compare({ page, id, onChange }: Props) {
  const ids = useAtomValue(listAtom(page))
  const row = useAtomValue(rowAtom(id))
  const thumbnail = useAtomValue(thumbnailAtom(id))
  const before = useObjectUrl(row.file)
  const done = ids.filter((one) => readRow(one)?.status.at === 'done')
  const at = done.indexOf(id)
  const isDone = row.status.at === 'done'
  // Over with the result it shows; left open, it would be back by itself as soon as there is another.
  useEffect(() => {
    if (!isDone) onChange(undefined)
  }, [isDone, onChange])
  if (row.status.at !== 'done') return null
  const go = (to: string | undefined) => (to === undefined ? undefined : () => onChange(to))
  return (
    <CompareDialog
      picture={pictureOf(row, row.status.outputs[0], before, thumbnail)}
      position={at + 1}
      total={done.length}
      onPrevious={go(done[at - 1])}
      onNext={go(done[at + 1])}
      onClose={() => onChange(undefined)}
    />
  )
}

/** Whether a result is there to be smaller: nobody cuts out to save bytes. */
const isSmaller = ({ page, made }: Row): boolean => made?.finding === undefined && findPage(page)?.tool.section === 'compress'

const pictureOf = (row: Row, output: { url: string; bytes: number }, before: string | undefined, thumbnail: Thumbnail) => ({
  name: row.name,
  isSmaller: isSmaller(row),
  before,
  after: output.url,
  beforeBytes: row.bytes,
  afterBytes: output.bytes,
  ...(thumbnail.kind === 'picture' && thumbnail.width > 0 && { width: thumbnail.width, height: thumbnail.height }),
})
