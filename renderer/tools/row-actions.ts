import {
  Brush,
  Columns2,
  Crop,
  Download,
  Eye,
  LayoutGrid,
  KeyRound,
  RotateCcw,
  ScanFace,
  MoveHorizontal,
  SlidersHorizontal,
  Square,
  X,
  type LucideIcon,
} from 'lucide-react'
import { localActions } from '../client/result-actions.ts'
import { isClient } from '../platform/desktop.ts'
import { isPreviewed } from '../preview/previewed.ts'
import { cancelRow, removeRows, startRows } from '../state/batch.ts'
import { download } from '../state/download.ts'
import { words as ours } from '../words.ts'
import { isActive, pdfFacts, type Output, type PdfFacts, type Row, type Thumbnail } from '../state/rows.ts'
import { isShownByBrowsers } from '#shared/formats'
import { findPage, remakes } from '#shared/tools/index'

/** What can be opened over a page for one of its files. */
export interface Opened {
  readonly dialog: 'compare' | 'preview' | 'settings' | 'edit' | 'more' | 'password' | 'pages'
  readonly id: string
}

/** Something a person can do with one file: a call, or a link to its result. */
export interface RowAction {
  readonly key:
    | 'password'
    | 'compare'
    | 'preview'
    | 'pages'
    | 'download'
    | 'open'
    | 'show'
    | 'save-as'
    | 'edit'
    | 'settings'
    | 'retry'
    | 'cancel'
    | 'remove'
  /** Of two to four characters, for buttons with the file's name. */
  readonly label: string
  readonly title: string
  readonly Icon: LucideIcon
  readonly run?: () => void
  readonly link?: { readonly href: string; readonly download: string }
  /** Marked: the file differs from the others in this. */
  readonly isSet?: boolean
  /** Rarely wanted: only in the menu of all. */
  readonly isMinor?: boolean
  /** What its state calls for. */
  readonly isNeeded?: boolean
}

/** What its editor is for, where a tool has one. */
const editorWords = {
  crop: { label: '裁剪', title: '裁剪', Icon: Crop },
  cutOut: { label: '修边', title: '背景与修边', Icon: Brush },
  effect: { label: '预览', title: '预览与调整', Icon: SlidersHorizontal },
  unstretch: { label: '调整比例', title: '调整比例', Icon: MoveHorizontal },
  document: { label: '调整四角', title: '调整页面四角', Icon: Crop },
  colourize: { label: '修正颜色', title: '修正颜色', Icon: Brush },
  idPhoto: { label: '标出头部', title: '标出头部', Icon: ScanFace },
} as const

/** Whether no subject was found: that is left to be painted by hand. */
export const lacksSubject = ({ status }: Row): boolean => status.at === 'failed' && status.error.code === 'cutout.no-subject'

/** Whether a photo was cut without its face: that is left to be marked by hand. */
const lacksFace = ({ status }: Row): boolean => status.at === 'done' && status.note?.kind === 'no-face'

/** Whether a file's edges had better be looked at. */
export const isUnsure = ({ status }: Row): boolean => status.at === 'done' && status.note?.kind === 'unsure'

/** Whether a result is there to be something else than its file, not to be smaller. */
export function isRemade({ made, page }: Row): boolean {
  const tool = findPage(page)?.tool.id
  return made?.finding !== undefined || (tool !== undefined && remakes(tool))
}

const isOfPassword = (code: string): boolean => code === 'pdf.password' || code === 'pdf.wrong-password'

/** Whether this page could not look into a PDF for want of its password. */
export const isLocked = ({ error }: PdfFacts): boolean => error !== undefined && isOfPassword(error.code)

/** Whether a file opens only with a password that is still to be given. */
const lacksPassword = ({ status }: Row, pdf: PdfFacts): boolean =>
  status.at === 'failed' ? isOfPassword(status.error.code) : status.at === 'ready' && isLocked(pdf)

const passwordAction = (row: Row, pdf: PdfFacts, open: (opened: Opened) => void): RowAction | false =>
  lacksPassword(row, pdf) && {
    key: 'password',
    label: '输入密码',
    title: '输入打开密码',
    Icon: KeyRound,
    isNeeded: true,
    run: () => open({ dialog: 'password', id: row.id }),
  }

/** What can be done with results: looked at, in the way their format allows, and downloaded. */
function resultActions(row: Row, outputs: readonly [Output, ...Output[]], open: (opened: Opened) => void): readonly (RowAction | false)[] {
  const { id } = row
  const { format } = outputs[0]
  return [
    isShownByBrowsers(format) && {
      key: 'compare',
      label: '对比',
      title: '对比',
      Icon: Columns2,
      run: () => open({ dialog: 'compare', id }),
    },
    isPreviewed(format) && { key: 'preview', label: '预览', title: '预览结果', Icon: Eye, run: () => open({ dialog: 'preview', id }) },
    ...(isClient ? localActions(row, outputs.length) : [downloadAction(row, outputs)]),
  ]
}

/** The pages of a PDF that is still in this browser; of one page there is nothing to choose. */
const pagesAction = ({ id, file, options }: Row, { pages = 0 }: PdfFacts, open: (opened: Opened) => void): RowAction | false =>
  file !== undefined &&
  pages > 1 && {
    key: 'pages',
    label: '选择页面',
    title: '选择页面',
    Icon: LayoutGrid,
    isSet: typeof options?.['pages'] === 'string' && options['pages'] !== '',
    run: () => open({ dialog: 'pages', id }),
  }

/** What can be done with a file now, in the order in which it is shown. */
export function rowActions(row: Row, thumbnail: Thumbnail, open: (opened: Opened) => void): readonly RowAction[] {
  const { file, id, key, options, page, status } = row
  const pdf = pdfFacts(thumbnail)
  const tool = findPage(page)?.tool
  const isAlone = tool?.takes !== 'all'
  const outputs = isAlone && status.at === 'done' ? status.outputs : undefined
  const isDone = outputs !== undefined
  // A cut-out's editor works on what was cut out, and has all its settings; that of colours on those that were found.
  const isEditable = !(tool?.editor === 'cutOut' || tool?.editor === 'colourize') || isDone || lacksSubject(row)
  const isAgain = isDone || ['failed', 'cancelled', 'expired'].includes(status.at)
  const hasSource = file !== undefined || key !== undefined
  const actions: readonly (RowAction | false)[] = [
    hasSource && passwordAction(row, pdf, open),
    ...(outputs === undefined ? [] : resultActions(row, outputs, open)),
    !isDone && !isActive(row) && pagesAction(row, pdf, open),
    tool !== undefined &&
      tool.editor !== 'form' &&
      isEditable &&
      !isActive(row) &&
      hasSource && {
        key: 'edit',
        ...editorWords[tool.editor],
        isSet: options?.['crop'] !== undefined || (tool.editor !== 'idPhoto' && options !== undefined),
        isNeeded: lacksSubject(row) || lacksFace(row),
        run: () => open({ dialog: 'edit', id }),
      },
    isAlone &&
      tool?.editor !== 'crop' &&
      tool?.editor !== 'effect' &&
      !(tool?.editor === 'cutOut' && isEditable) &&
      !isActive(row) &&
      hasSource && {
        key: 'settings',
        label: '单独设置',
        title: options ? '单独设置（已设）' : '单独设置',
        Icon: SlidersHorizontal,
        isMinor: isClient && isDone,
        isSet: options !== undefined,
        run: () => open({ dialog: 'settings', id }),
      },
    isAlone &&
      isAgain &&
      hasSource && {
        key: 'retry',
        label: '重试',
        title: isDone ? '按当前设置重新处理' : '重试',
        Icon: RotateCcw,
        isMinor: isClient && isDone,
        run: () => startRows(page, [id]),
      },
    isActive(row) && { key: 'cancel', label: '取消', title: '取消', Icon: Square, run: () => cancelRow(id) },
    { key: 'remove', label: '移除', title: ours.removeTitle, Icon: X, isMinor: isClient && isDone, run: () => removeRows(page, [id]) },
  ]
  return actions.filter((one) => one !== false)
}

/** One result by its own address, several as a zip. */
function downloadAction(row: Row, [first, ...others]: readonly [Output, ...Output[]]): RowAction {
  const words = { key: 'download', label: '下载', Icon: Download } as const
  if (others.length === 0) return { ...words, title: '下载', link: { href: first.url, download: first.name } }
  return { ...words, title: `下载 ${others.length + 1} 个文件`, run: () => void download([row]) }
}

/** The one thing most likely wanted of a file in its state. */
export const mainAction = (actions: readonly RowAction[]): RowAction | undefined =>
  actions.find(({ key }) => key === 'download' || key === 'open' || key === 'cancel') ??
  actions.find(({ isNeeded }) => isNeeded) ??
  actions.find(({ key }) => key === 'retry')
