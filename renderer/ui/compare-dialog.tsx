import { X } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { formatBytes } from '#shared/units'
import css from './compare-dialog.module.css'
import { changeText, zoomAfter, zooms, type Size, type Zoom } from './compare-geometry.ts'
import { CompareStage, isPlain, type Side } from './compare-stage.tsx'
import { Turn } from './turn.tsx'
import { useModal, whenClosed } from './use-modal.ts'

export interface ComparedPicture {
  readonly name: string
  /** Whether the result is there to be smaller: told by how much. */
  readonly isSmaller: boolean
  /** Undefined where the page no longer has the source, as after a reload. */
  readonly before: string | undefined
  readonly after: string
  readonly beforeBytes: number
  readonly afterBytes: number
  /** The source's size in image pixels, for when it cannot be shown. */
  readonly width?: number
  readonly height?: number
}

interface Props {
  readonly picture: ComparedPicture
  /** From 1; nothing leads back from the first picture, nor on from the last. */
  readonly position: number
  readonly total: number
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onClose: () => void
}

/** Both sides with what became of their loading; a retry forgets the failures, and forgotten pictures load anew. */
function useSides({ before, after, isSmaller, width, height }: ComparedPicture) {
  const [results, setResults] = useState<ReadonlyMap<string, Size | 'failed'>>(new Map())
  const source: Side | undefined = before === undefined ? undefined : { label: '原图', url: before, loaded: results.get(before) }
  const result: Side = { label: isSmaller ? '压缩后' : '结果', url: after, loaded: results.get(after) }
  const sourceSize = typeof source?.loaded === 'object' ? source.loaded : width && height ? { width, height } : undefined
  const resultSize = typeof result.loaded === 'object' ? result.loaded : undefined
  const isLoading = resultSize === undefined || (source !== undefined && source.loaded === undefined)
  return {
    source,
    result,
    sourceSize,
    resultSize,
    natural: isLoading ? undefined : (sourceSize ?? resultSize),
    settle: (url: string, loaded: Size | 'failed') => setResults((old) => new Map(old).set(url, loaded)),
    retry: () => setResults((old) => new Map([...old].filter(([, loaded]) => loaded !== 'failed'))),
  }
}

function ZoomChoice({ zoom, onZoom }: { readonly zoom: Zoom; readonly onZoom: (zoom: Zoom) => void }) {
  // ← and → belong to the files, so only ↑ and ↓ walk through the group.
  const step = (event: KeyboardEvent<HTMLElement>) => {
    if (!isPlain(event) || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const next = zoomAfter(zoom, event.key === 'ArrowDown' ? 1 : -1)
    event.currentTarget.querySelectorAll('button')[zooms.findIndex((one) => one.zoom === next)]?.focus()
    onZoom(next)
  }
  return (
    <div className={css['zooms']} role="radiogroup" aria-label="缩放" onKeyDown={step}>
      {zooms.map((one) => (
        <button
          key={one.label}
          type="button"
          role="radio"
          aria-checked={one.zoom === zoom}
          tabIndex={one.zoom === zoom ? 0 : -1}
          onClick={() => onZoom(one.zoom)}
        >
          {one.label}
        </button>
      ))}
    </div>
  )
}

function Figure({ label, bytes, size, change }: { label: string; bytes: number; size: Size | undefined; change?: string | undefined }) {
  return (
    <p className={css['figure']}>
      <span className={css['label']}>{label}</span>
      <strong>{formatBytes(bytes)}</strong>
      {change !== undefined && (
        <span className={css['change']} data-larger={change.startsWith('+') || undefined}>
          {change}
        </span>
      )}
      {size && <span className={css['pixels']}>{`${size.width}×${size.height} px`}</span>}
    </p>
  )
}

export function CompareDialog({ picture, position, total, onPrevious, onNext, onClose }: Props) {
  const titleId = useId()
  // The focus is on the whole, not on a control: ← and → turn to the next file from the start.
  const { dialog, first: body } = useModal()
  const [zoom, setZoom] = useState<Zoom>('fit')
  const { source, result, sourceSize, resultSize, natural, settle, retry } = useSides(picture)

  const turn = (event: KeyboardEvent) => {
    if (!isPlain(event) || event.shiftKey) return
    if (event.key === 'ArrowLeft') onPrevious?.()
    if (event.key === 'ArrowRight') onNext?.()
  }
  return (
    <dialog ref={dialog} className={css['dialog']} aria-labelledby={titleId} onClose={whenClosed(onClose)}>
      <div ref={body} className={css['body']} tabIndex={-1} onKeyDown={turn}>
        <header className={css['header']}>
          <h2 id={titleId} className={css['title']} title={picture.name}>
            <span className="visually-hidden">图片对比：</span>
            {picture.name}
          </h2>
          <ZoomChoice zoom={zoom} onZoom={setZoom} />
          {total > 1 && (
            <div className={css['turns']}>
              <Turn label="上一张" className={css['icon']} onTurn={onPrevious} />
              <span aria-hidden>{`${position} / ${total}`}</span>
              <Turn label="下一张" className={css['icon']} onTurn={onNext} />
            </div>
          )}
          <button
            type="button"
            className={css['icon']}
            data-close
            aria-label="关闭"
            title="关闭（Esc）"
            onClick={() => dialog.current?.close()}
          >
            <X size={20} aria-hidden />
          </button>
        </header>
        {source === undefined && <p className={css['note']}>原图已不在本页，仅显示结果</p>}
        {source?.loaded === 'failed' && result.loaded !== 'failed' && (
          <p className={css['note']} role="alert">
            原图加载失败，仅显示结果
            <button type="button" className={css['retry']} onClick={retry}>
              重试
            </button>
          </p>
        )}
        <CompareStage
          name={picture.name}
          before={source?.loaded === 'failed' ? undefined : source}
          after={result}
          natural={natural}
          zoom={zoom}
          onZoom={setZoom}
          onSettle={settle}
          onRetry={retry}
        />
        <footer className={css['footer']}>
          <Figure label="原图" bytes={picture.beforeBytes} size={sourceSize} />
          <Figure
            label={result.label}
            bytes={picture.afterBytes}
            size={resultSize}
            change={picture.isSmaller ? changeText(picture.beforeBytes, picture.afterBytes) : undefined}
          />
        </footer>
        <p className="visually-hidden" aria-live="polite">{`第 ${position} / ${total} 张：${picture.name}`}</p>
      </div>
    </dialog>
  )
}
