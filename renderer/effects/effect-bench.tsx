import { useEffect, useEffectEvent } from 'react'
import { isOff } from './effect-draft.ts'
import css from './effect-editor.module.css'
import { EffectStage } from './effect-stage.tsx'
import { usePreview, type PreviewState } from './use-preview.ts'
import { windowOf } from './view-window.ts'
import { useStageView } from '../stage/use-stage-view.ts'
import { checkedOptions, type Options } from '../state/settings.ts'
import { unchangedTexts } from '../row-text.ts'
import { FieldSet } from '../tools/fields.tsx'
import type { ShownPicture } from '../tools/use-edited-row.ts'
import type { EffectId } from '#shared/effects/load-effect'
import type { Fields } from '#shared/tools/field'

interface Props {
  readonly page: string
  readonly effect: EffectId
  readonly file: File
  readonly picture: ShownPicture
  readonly values: Options
  /** The address of the row's result, where it is of these values. */
  readonly result: string | undefined
  readonly fields: Fields
  readonly onChange: (values: Options) => void
}

/** Above it the tab is spared: seven bytes a pixel are held while one looks. */
const MOST_PIXELS = 64e6

/** Checked options, as the engine gets them; undefined while a number is being typed. */
function checked(page: string, values: Options): Options | undefined {
  try {
    return checkedOptions(page, values)
  } catch {
    return undefined
  }
}

/** A picture under an effect, and what there is to set of it. */
export function EffectBench({ page, effect, file, picture, values, result, fields, onChange }: Props) {
  const isLarge = picture.width * picture.height > MOST_PIXELS
  const stageView = useStageView(picture)
  const { view, shownZoom, isFit, zoomTo } = stageView
  const window = view && result === undefined && !isLarge ? windowOf(view, picture, shownZoom) : undefined
  const { canvas, state } = usePreview(effect, isLarge ? undefined : file, picture, checked(page, values), window)
  const lookClosely = useEffectEvent(() => {
    if (isFit && shownZoom < 1) zoomTo(1)
  })
  const { isLocal } = state
  // What fine detail becomes can't be seen on a picture made smaller.
  useEffect(() => {
    if (isLocal === true) lookClosely()
  }, [isLocal])
  const isBusy = result === undefined && !isLarge && state.at !== 'failed' && !state.isShown
  return (
    <>
      <EffectStage
        stageView={stageView}
        original={picture.url}
        result={result}
        canvas={canvas}
        after={result === undefined ? '预览' : '处理后'}
        isBusy={isBusy}
      />
      <div className={css['panel']}>
        <FieldSet fields={fields} values={values} page={page} onChange={onChange} />
        <p className={css['said']} role="status">
          {isLarge ? '图片很大，不能预览，不影响处理。' : result === undefined ? saidOf(state, effect, values) : ''}
        </p>
      </div>
    </>
  )
}

function saidOf({ at, isNothing }: PreviewState, effect: EffectId, values: Options): string {
  if (at === 'opening') return '正在读取…'
  if (at === 'failed') return '预览没有完成，不影响处理。'
  if (isOff(values)) return '强度为 0，图片不变。'
  return isNothing ? `${unchangedTexts[effect] ?? '无需处理'}。` : ''
}
