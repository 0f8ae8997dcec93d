import { ColourBench } from './colour-bench.tsx'
import { useColourDraft } from './colour-draft.ts'
import { loadColourParts } from './colour-parts.ts'
import { useColours } from './use-colours.ts'
import { Unready } from '../stage/unready.tsx'
import { useParts } from '../stage/use-parts.ts'
import { startRows } from '../state/batch.ts'
import { changeRow, type Row } from '../state/rows.ts'
import type { EditorProps } from '../tools/crop-editor.tsx'
import { EditorDialog } from '../tools/editor-dialog.tsx'
import { EditorFooter, ResetButton } from '../tools/editor-footer.tsx'
import { useEditedRow } from '../tools/use-edited-row.ts'
import { useObjectUrl } from '../tools/use-object-url.ts'
import { useTried } from '../tools/use-tried.ts'

const WORDS = { work: '修正颜色', first: '先自动上色，再用画笔修正颜色。', start: '开始上色' }

/** Where the colours of a row's result came from: another way would be another job, and not for nothing. */
function sourceOf({ made }: Row): Record<string, unknown> {
  const options: unknown = JSON.parse(made?.text ?? '{}')
  return typeof options === 'object' && options !== null && 'colours' in options ? { colours: options.colours } : {}
}

/** A photo's colours, mended by strokes that say what colour something is. */
export function ColourizeEditor({ page, id, onChange }: EditorProps) {
  const edited = useEditedRow(page, id)
  const { row, options } = edited
  const draft = useColourDraft(id, options)
  const { loading, retry } = useParts(row, row.status.at === 'done', loadColourParts)
  const parts = loading?.at === 'loaded' ? loading.parts : undefined
  const colouring = useColours(parts, draft.colours)
  const original = useObjectUrl(parts?.source)
  const { message, setMessage, tried } = useTried()
  const { size } = colouring
  const opened = typeof size === 'object' && original !== undefined ? { size, original } : undefined
  const save = (): boolean =>
    !opened ||
    !draft.isChanged ||
    tried(() => {
      changeRow(id, { options: { ...row.options, ...sourceOf(row), ...draft.colours } })
      startRows(page, [id])
    })
  const close = (): void => onChange(undefined)
  const isPaid = row.status.at === 'done' && row.status.note?.kind !== 'unchanged'
  return (
    <EditorDialog
      title="修正颜色"
      edited={edited}
      keep={save}
      onChange={onChange}
      isLarge
      footer={
        <EditorFooter
          first={opened && <ResetButton onClick={draft.reset} />}
          warning={message}
          advice={opened && draft.isChanged && isPaid ? '确定后重新处理，不另计次数。' : ''}
          done={{ label: opened ? '确定' : '关闭', onClick: () => save() && close() }}
        />
      }
    >
      {opened ? (
        <ColourBench key={id} draft={draft} colouring={colouring} onMessage={setMessage} {...opened} />
      ) : (
        <Unready
          row={row}
          words={WORDS}
          loading={loading}
          isUnreadable={size === 'failed'}
          onRetry={retry}
          onStart={() => void tried(() => startRows(page, [id]))}
        />
      )}
    </EditorDialog>
  )
}
