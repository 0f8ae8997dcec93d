import { useAtomValue } from 'jotai'
import { keep, keepForAll } from './apply.ts'
import { lookOf } from './look.ts'
import { loadParts } from './parts.ts'
import { Unready } from '../stage/unready.tsx'
import { useCompositor } from './use-compositor.ts'
import { useDraft } from './use-draft.ts'
import { useParts } from '../stage/use-parts.ts'
import { Workbench } from './workbench.tsx'
import { attachmentAtom } from '../state/attachment.ts'
import { startRows } from '../state/batch.ts'
import { staleAtom } from '../state/redo.ts'
import { settingsAtom } from '../state/settings.ts'
import type { EditorProps } from '../tools/crop-editor.tsx'
import { EditorDialog } from '../tools/editor-dialog.tsx'
import { EditorFooter, ResetButton } from '../tools/editor-footer.tsx'
import { lacksSubject } from '../tools/row-actions.ts'
import { useEditedRow } from '../tools/use-edited-row.ts'
import { useObjectUrl } from '../tools/use-object-url.ts'
import { useTried } from '../tools/use-tried.ts'

const ADVICE = '未识别到主体，请用“保留”画笔涂出要留下的部分。'

const WORDS = { work: '修边', first: '先抠出主体，再换背景、修边缘。', start: '开始抠图' }

/** A cut-out's edge, mended by hand and by numbers, and what stands behind it. */
export function CutOutEditor({ page, id, onChange }: EditorProps) {
  const edited = useEditedRow(page, id)
  const { row, options, total } = edited
  const common = useAtomValue(settingsAtom(page))
  const { file: backdrop } = useAtomValue(attachmentAtom(page))
  const isStale = useAtomValue(staleAtom(page)).includes(id)
  const draft = useDraft(id, options)
  const isEmpty = lacksSubject(row)
  const { loading, retry } = useParts(row, row.status.at === 'done' || isEmpty, loadParts)
  const parts = loading?.at === 'loaded' ? loading.parts : undefined
  const { board, hasNoBackdrop, ...composition } = useCompositor(parts, draft.scene, backdrop)
  const original = useObjectUrl(parts?.source)
  const { message, setMessage, tried } = useTried()
  const opened = typeof board === 'object' && original !== undefined ? { board, original } : undefined
  const { look, scene } = draft
  const isDue = isEmpty && scene.strokes.length > 0
  const save = (): boolean => !opened || !(draft.isChanged || isStale) || tried(() => keep(page, id, look, scene.strokes, isDue))
  const close = (): void => onChange(undefined)
  const all = (): void => {
    if (tried(() => keepForAll(page, id, look, scene.strokes, isDue))) close()
  }
  const warning = message || (look.background.by === 'image' && hasNoBackdrop ? '这张背景图片无法预览，处理后会正常显示。' : '')
  return (
    <EditorDialog
      title="背景与修边"
      edited={edited}
      keep={save}
      onChange={onChange}
      isLarge
      footer={
        <EditorFooter
          first={opened && <ResetButton onClick={() => draft.reset(lookOf(common))} />}
          warning={warning}
          advice={opened && isEmpty && !isDue ? ADVICE : ''}
          all={opened && total > 1 && { hint: '背景、边缘、阴影和裁剪用于全部图片，画笔只用于这一张', onClick: all }}
          done={{ label: opened ? '确定' : '关闭', onClick: () => save() && close() }}
        />
      }
    >
      {opened ? (
        <Workbench page={page} draft={draft} isEmpty={isEmpty} onMessage={setMessage} {...composition} {...opened} />
      ) : (
        <Unready
          row={row}
          words={WORDS}
          loading={loading}
          isUnreadable={board === 'failed'}
          onRetry={retry}
          onStart={() => void tried(() => startRows(page, [id]))}
        />
      )}
    </EditorDialog>
  )
}
