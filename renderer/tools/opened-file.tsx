import { lazy, Suspense, useCallback, useEffect } from 'react'
import type { Opened } from './row-actions.ts'
import { isClient } from '../platform/desktop.ts'
import { findPage } from '#shared/tools/index'

const CropEditor = lazy(() => import('./crop-editor.tsx').then((module) => ({ default: module.CropEditor })))
const DocumentEditor = lazy(() => import('./document-editor.tsx').then((module) => ({ default: module.DocumentEditor })))
const IdPhotoEditor = lazy(() => import('./id-photo-editor.tsx').then((module) => ({ default: module.IdPhotoEditor })))
const UnstretchEditor = lazy(() => import('./unstretch-editor.tsx').then((module) => ({ default: module.UnstretchEditor })))
const CutOutEditor = lazy(() => import('../cut-out/cut-out-editor.tsx').then((module) => ({ default: module.CutOutEditor })))
const EffectEditor = lazy(() => import('../effects/effect-editor.tsx').then((module) => ({ default: module.EffectEditor })))
const ColourizeEditor = lazy(() => import('../colourize/colourize-editor.tsx').then((module) => ({ default: module.ColourizeEditor })))
const editors = {
  crop: CropEditor,
  idPhoto: IdPhotoEditor,
  cutOut: CutOutEditor,
  effect: EffectEditor,
  unstretch: UnstretchEditor,
  document: DocumentEditor,
  colourize: ColourizeEditor,
  form: undefined,
} as const
const RowSettings = lazy(() => import('./row-settings.tsx').then((module) => ({ default: module.RowSettings })))
const RowSheet = lazy(() => import('./row-sheet.tsx').then((module) => ({ default: module.RowSheet })))
const PasswordDialog = lazy(() => import('./password-dialog.tsx').then((module) => ({ default: module.PasswordDialog })))
const PagesDialog = lazy(() => import('../pdf/pages-dialog.tsx').then((module) => ({ default: module.PagesDialog })))
const PreviewDialog = lazy(() => import('../preview/preview-dialog.tsx').then((module) => ({ default: module.PreviewDialog })))
const Compare = lazy(() => import('./compare.tsx').then((module) => ({ default: module.Compare })))

interface Props {
  readonly page: string
  /** What is open of which file; another one of the same kind takes its place. */
  readonly opened: Opened | undefined
  /** The file whose editor is open. */
  readonly editedId: string | undefined
  readonly onEdit: (id: string | undefined) => void
  readonly onOpen: (opened: Opened) => void
  readonly onTurn: (opened: Opened | undefined) => void
}

/** What stands over a page for one of its files: its editor, its settings, its result. */
export function OpenedFile({ page, opened, editedId, onEdit, onOpen, onTurn }: Props) {
  const close = useCallback(() => onTurn(undefined), [onTurn])
  const id = opened?.id ?? editedId
  useEffect(() => {
    if (isClient && id !== undefined) void import('../client/local-files.ts').then(({ restoreFile }) => restoreFile(id))
  }, [id])
  const Editor = editors[findPage(page)?.tool.editor ?? 'form']
  return (
    <>
      {editedId !== undefined && Editor && (
        <Suspense fallback={null}>
          <Editor page={page} id={editedId} onChange={onEdit} />
        </Suspense>
      )}
      {opened && (
        // Each has its own: one that is kept, hidden, until the next has come would close that as it goes.
        <Suspense key={opened.dialog} fallback={null}>
          <OpenedDialog page={page} opened={opened} onOpen={onOpen} onTurn={onTurn} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

interface DialogProps extends Pick<Props, 'page' | 'onOpen' | 'onTurn'> {
  readonly opened: Opened
  readonly onClose: () => void
}

function OpenedDialog({ page, opened: { dialog, id }, onOpen, onTurn, onClose }: DialogProps) {
  const turn = (next: string | undefined): void => onTurn(next === undefined ? undefined : { dialog, id: next })
  switch (dialog) {
    case 'settings':
      return <RowSettings id={id} onClose={onClose} />
    case 'password':
      return <PasswordDialog id={id} onClose={onClose} />
    case 'pages':
      return <PagesDialog id={id} onClose={onClose} />
    case 'more':
      return <RowSheet id={id} onOpen={onOpen} onClose={onClose} />
    case 'preview':
      return <PreviewDialog page={page} id={id} onChange={turn} />
    case 'compare':
      return <Compare page={page} id={id} onChange={turn} />
    case 'edit':
      return null
  }
}
