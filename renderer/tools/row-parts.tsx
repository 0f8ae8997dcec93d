import { useAtomValue } from 'jotai'
import { Crop, FileText, ImageOff, LockKeyhole } from 'lucide-react'
import { isCropSet } from './crop-draft.ts'
import { isLocked, isRemade, isUnsure, lacksSubject, type Opened } from './row-actions.ts'
import { OcrInstead } from './ocr-instead.tsx'
import css from './row-parts.module.css'
import { clockAtom } from '../state/clock.ts'
import { pdfFacts, type PdfFacts, type Row, type Status, type Thumbnail } from '../state/rows.ts'
import { settingsAtom } from '../state/settings.ts'
import { elapsedText, isStill } from '../state/running.ts'
import { statusText, tailOf } from '../row-text.ts'
import { aiBadges, savedPercent } from '../text.ts'
import { splitName } from '#shared/names'
import { findPage } from '#shared/tools/index'
import { formatBytes } from '#shared/units'

interface PictureProps {
  readonly thumbnail: Thumbnail | { readonly kind: 'picture'; readonly url: string }
  readonly isWhole?: boolean
}

/** A file's small picture, filling its place or whole within it, or what stands for it. */
export function Picture({ thumbnail, isWhole = false }: PictureProps) {
  const isOfPdf = 'pdf' in thumbnail
  if (thumbnail.kind === 'picture')
    return <img className={css['picture']} data-whole={isWhole || undefined} data-page={isOfPdf || undefined} src={thumbnail.url} alt="" />
  return <span className={css['picture']}>{thumbnail.kind === 'none' && <NoPicture pdf={thumbnail.pdf} />}</span>
}

function NoPicture({ pdf }: { pdf: PdfFacts | undefined }) {
  const Icon = pdf === undefined ? ImageOff : isLocked(pdf) ? LockKeyhole : FileText
  return <Icon size={20} aria-hidden />
}

/** Marks the picture of a file that will be cropped. */
export function CropMark({ row: { page, options } }: { row: Row }) {
  const common = useAtomValue(settingsAtom(page))
  if (findPage(page)?.tool.editor !== 'crop' || !isCropSet({ ...common, ...options })) return null
  return (
    <span className={css['cropped']} role="img" aria-label="已设裁剪" title="已设裁剪">
      <Crop size={12} aria-hidden />
    </span>
  )
}

/** A name, shortened in its middle where it is long, and what is known of the picture. */
export function FileName({ row: { name, path }, thumbnail }: { row: Row; thumbnail: Thumbnail }) {
  const { extension } = splitName(name)
  const tail = tailOf(name)
  const sides = thumbnail.kind === 'picture' && thumbnail.width > 0 ? `${thumbnail.width}×${thumbnail.height}` : ''
  const { pages } = pdfFacts(thumbnail)
  const size = pages === undefined ? sides : `${pages} 页`
  const known = [thumbnail.kind === 'pending' ? '正在读取…' : size, extension.toUpperCase(), path ?? '']
  return (
    <div className={css['name']}>
      <b title={name}>
        <span>{name.slice(0, name.length - tail.length)}</span>
        <span>{tail}</span>
      </b>
      <small>{known.filter(Boolean).join(' · ')}</small>
    </div>
  )
}

/** How large a file is, and what it became. */
export function Sizes({ row }: { row: Row }) {
  const { bytes, status } = row
  const isAlone = status.at !== 'done' || status.outputs[0].format !== 'zip'
  const after = isAlone && status.at === 'done' ? status.outputs.reduce((sum, output) => sum + output.bytes, 0) : undefined
  // Nobody cuts out to save bytes.
  const saved = after === undefined || isRemade(row) ? '' : savedPercent(bytes, after)
  return (
    <div className={css['sizes']}>
      {formatBytes(bytes)}
      {after !== undefined && (
        <>
          {' → '}
          <b>{formatBytes(after)}</b>
          {saved !== '' && <em>−{saved}</em>}
        </>
      )}
    </div>
  )
}

/** What the law calls for where a machine made up what is seen: said beside it, and in the file. */
const AI_HINT = '主体由 AI 识别并抠出，结果文件带有 AI 处理标记'

/** What is said of a result in which a model has made up something; undefined where none has. */
function aiHint({ made, page, status }: Row): string | undefined {
  if (status.at !== 'done' || status.note?.kind === 'unchanged' || status.note?.kind === 'plain') return undefined
  const badge = aiBadges[findPage(page)?.tool.id ?? 'pack-zip']
  // Strokes alone are one's own.
  if (badge) return made?.finding === 'colours none' ? undefined : badge.hint
  return made?.finding === undefined ? undefined : AI_HINT
}

/** Where a file stands: a bar while it is uploaded or at work, else a chip; and the way to its editor where that is called for. */
export function State({ row, thumbnail, onOpen }: { row: Row; thumbnail: Thumbnail; onOpen: (opened: Opened) => void }) {
  const { id, name, page, status } = row
  const { text, tone, hint } = statusText(status, findPage(page)?.tool.id, pdfFacts(thumbnail).error)
  const hintOfAi = aiHint(row)
  if (status.at === 'uploading') return <Bar label={`${name} ${text}`} text={text} fraction={status.fraction} />
  if (status.at === 'running') return <Running name={name} text={text} status={status} />
  const isByHand = (lacksSubject(row) || isUnsure(row)) && findPage(page)?.tool.editor === 'cutOut'
  return (
    <>
      <span className={css['chip']} data-tone={tone} title={hint}>
        {text}
      </span>
      {hintOfAi !== undefined && (
        <span className={css['ai']} title={hintOfAi}>
          AI 处理
        </span>
      )}
      {isByHand && (
        <button type="button" className={css['fix']} onClick={() => onOpen({ dialog: 'edit', id })}>
          修边
        </button>
      )}
      <OcrInstead row={row} />
    </>
  )
}

/** One long pass tells nothing while it lasts; the seconds, and a sheen on the bar, say that it does. */
function Running({ name, text, status }: { name: string; text: string; status: Extract<Status, { at: 'running' }> }) {
  const now = useAtomValue(clockAtom)
  const elapsed = elapsedText(status, now)
  return (
    <Bar
      label={`${name} ${text}`}
      text={elapsed ? `${text}${status.step === undefined ? ' ' : ' · '}${elapsed}` : text}
      fraction={status.fraction}
      hasSheen={isStill(status, now)}
    />
  )
}

function Bar({ label, text, fraction, hasSheen = false }: { label: string; text: string; fraction: number; hasSheen?: boolean }) {
  return (
    <div className={css['progress']} data-sheen={hasSheen || undefined}>
      <small>{text}</small>
      <div>
        <progress max={1} value={fraction > 0 ? fraction : undefined} aria-label={label} />
      </div>
    </div>
  )
}
