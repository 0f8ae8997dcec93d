import { FieldSet } from './fields.tsx'
import { moved, rangeOf, type HeadDraft, type HeadLine, type PlannedPhoto } from './id-photo-draft.ts'
import css from './id-photo-panel.module.css'
import type { ShownPicture } from './use-edited-row.ts'
import type { Output } from '../state/rows.ts'
import { changeSettings, type Options } from '../state/settings.ts'
import { NumberBox } from '../ui/number-box.tsx'
import { SHEET_DPI, papers, sheetLayout, type PaperId } from '#shared/print-sheet'
import { findPage } from '#shared/tools/index'
import { idPhoto } from '#shared/tools/id-photo'

/** The lines of a head by what they are called. */
export const headLines: readonly { readonly key: HeadLine; readonly label: string }[] = [
  { key: 'crown', label: '头顶' },
  { key: 'eyes', label: '眼睛' },
  { key: 'chin', label: '下巴' },
  { key: 'centre', label: '脸部中线' },
]

/** Which photo it is to be and on which ground, for all of a page; and a sheet of copies where the page offers one. */
export function PhotoKind({ page, common, plan }: { page: string; common: Options; plan: PlannedPhoto | undefined }) {
  const { preset, background, sheet } = idPhoto.options
  const hasSheet = findPage(page)?.page.shows?.includes('sheet') ?? false
  return (
    <>
      <FieldSet
        fields={{ preset, background, ...(hasSheet && { sheet }) }}
        values={common}
        onChange={(values) => changeSettings(page, values)}
      />
      {hasSheet && plan && <SheetCount paper={common['sheet']} plan={plan} />}
      {plan?.preset && <Facts plan={plan} preset={plan.preset} />}
    </>
  )
}

const isPaper = (word: unknown): word is PaperId => typeof word === 'string' && Object.hasOwn(papers, word)

function SheetCount({ paper, plan: { preset, target } }: { paper: unknown; plan: PlannedPhoto }) {
  if (!isPaper(paper)) return null
  const scale = SHEET_DPI / (preset?.dpi ?? SHEET_DPI)
  const layout = sheetLayout(paper, { width: Math.round(target.width * scale), height: Math.round(target.height * scale) })
  return <p className={css['note']}>{layout ? `一张纸可排 ${layout.places.length} 张照片` : '照片大于所选相纸，请换更大的相纸'}</p>
}

function Facts({ plan: { target }, preset }: { plan: PlannedPhoto; preset: NonNullable<PlannedPhoto['preset']> }) {
  const { mm, minKb, maxKb, dpi, source, updatedOn } = preset
  return (
    <dl className={css['facts']}>
      <dt>像素</dt>
      <dd>
        {target.width}×{target.height} px，{dpi} dpi
      </dd>
      {mm && (
        <>
          <dt>尺寸</dt>
          <dd>{mm.join('×')} mm</dd>
        </>
      )}
      <dt>大小</dt>
      <dd>{sizeText(minKb, maxKb)}</dd>
      <dt>来源</dt>
      <dd>
        {source}，{updatedOn} 更新。以官网为准。
      </dd>
    </dl>
  )
}

function sizeText(minKb: number | undefined, maxKb: number | undefined): string {
  if (minKb !== undefined && maxKb !== undefined) return `${minKb}–${maxKb} KB`
  if (minKb !== undefined) return `不小于 ${minKb} KB`
  return maxKb === undefined ? '不限' : `不超过 ${maxKb} KB`
}

const share = (part: number, whole: number): string => `${(100 * part) / whole}%`

interface PreviewProps {
  readonly picture: ShownPicture
  readonly plan: PlannedPhoto
  readonly turn: number
  /** The colour the background is to get. */
  readonly ground: string | undefined
  /** What the tool made under these very settings. */
  readonly result: Output | undefined
}

/** The photo as the tool will cut it, or as it has made it. */
export function PhotoPreview({ picture, plan: { frame, target }, turn, ground, result }: PreviewProps) {
  if (result)
    return (
      <figure className={css['preview']}>
        <div style={{ aspectRatio: `${result.width ?? 1} / ${result.height ?? 1}` }}>
          <img src={result.url} alt="处理结果" style={{ width: '100%' }} />
        </div>
        <figcaption>处理结果</figcaption>
      </figure>
    )
  return (
    <figure className={css['preview']}>
      <div style={{ aspectRatio: `${target.width} / ${target.height}`, ...(ground !== undefined && { background: ground }) }}>
        <img
          src={picture.url}
          alt="照片预览"
          style={{
            left: share(-frame.left, frame.width),
            top: share(-frame.top, frame.height),
            width: share(picture.width, frame.width),
            height: share(picture.height, frame.height),
            transform: `rotate(${turn}deg)`,
          }}
        />
      </div>
      <figcaption>{ground === undefined ? '预览' : '预览，处理后换底色'}</figcaption>
    </figure>
  )
}

/** The lines as numbers; the only way where the picture can't be shown. */
export function LineNumbers({ marks, onChange }: { marks: HeadDraft; onChange: (marks: HeadDraft) => void }) {
  return (
    <div role="group" aria-label="头部位置" className={css['pairs']}>
      {headLines.map(({ key, label }) => {
        const [least, most] = rangeOf(marks, key)
        return (
          <NumberBox
            key={key}
            label={`${label}（占${key === 'centre' ? '宽' : '高'}）`}
            unit="%"
            value={marks[key]}
            least={least}
            most={most}
            step={0.1}
            onChange={(to) => onChange(moved(marks, key, to))}
          />
        )
      })}
      <NumberBox
        label="头部倾斜"
        unit="°"
        value={marks.tilt}
        least={-30}
        most={30}
        step={0.1}
        onChange={(tilt) => onChange({ ...marks, tilt })}
      />
    </div>
  )
}
