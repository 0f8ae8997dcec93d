import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { SlidersHorizontal } from 'lucide-react'
import css from './action-bar.module.css'
import { isClient } from '../platform/desktop.ts'
import { attachmentAtom } from '../state/attachment.ts'
import { cancelAll, clearPage } from '../state/batch.ts'
import { declinedAtom, needsConsent } from '../state/consent.ts'
import { openDialog } from '../state/dialogs.ts'
import { costAtom, leftAtom } from '../state/left.ts'
import { startableAtom } from '../state/redo.ts'
import { rowsOf } from '../state/rows.ts'
import { sessionAtom } from '../state/session.ts'
import { totalsAtom, type Totals } from '../state/totals.ts'
import { savedPercent } from '../text.ts'
import { arriving } from '../ui/arriving.tsx'
import { messageOf, words } from '../words.ts'
import { findPage } from '#shared/tools/index'
import { formatBytes } from '#shared/units'

const BarPart = arriving(() => import('../client/bar-part.tsx').then((module) => module.BarPart))
const ShowAll = arriving(() => import('../client/bar-part.tsx').then((module) => module.ShowAll))

const failedIds = (page: string): readonly string[] => rowsOf(page).flatMap(({ id, status }) => (status.at === 'failed' ? [id] : []))

const DECLINED = '您没有同意，图片未上传。点“开始处理”可重新选择。'

interface Props {
  readonly page: string
  readonly message: string
  readonly onStart: (ids?: readonly string[]) => void
  /** On a phone: the way to the settings, and the most important of them in a few characters. */
  readonly settings: { readonly summary: string; readonly onOpen: () => void } | undefined
}

/** What a page's files amount to, and what can be done with all of them. */
export function ActionBar({ page, message, onStart, settings }: Props) {
  const totals = useAtomValue(totalsAtom(page))
  const cost = useAtomValue(costAtom(page))
  const left = useAtomValue(leftAtom(page))
  const [failure, setFailure] = useState('')
  const { active, count, done, failed, ready, stale } = totals
  const isDeclined = useAtomValue(declinedAtom) && ready > 0 && needsConsent(page)
  const takesAll = findPage(page)?.tool.takes === 'all'
  const { ids, isAnew } = useAtomValue(startableAtom(page))
  const canStart = takesAll ? count > 0 && active === 0 : ids.length > 0
  const refusal = useAtomValue(attachmentAtom(page)).error
  const missing = refusal?.code === 'options.background-missing' ? messageOf(refusal) : ''
  const alert = message || failure || missing || (isDeclined ? DECLINED : '')
  const download = (): void => {
    setFailure('')
    import('../state/download.ts')
      .then(
        ({ downloadAll }) => downloadAll(page),
        () => Promise.reject(new Error('下载失败，请重试。')),
      )
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : ''))
  }
  return (
    <div className={css['bar']} data-bar>
      {totals.isQuotaUsedUp && <UsedUp page={page} />}
      <div className={css['sum']}>
        <p aria-live="polite">{summary(totals, cost === 'image' || cost === 'free')}</p>
        {(stale > 0 || (isAnew && !takesAll)) && (
          <p role="status" className={css['stale']}>
            设置已更改，{stale || ids.length} 个可按新设置重新处理，{stale > 0 || left === Infinity ? '不另计次数' : '另计次数'}
          </p>
        )}
        {alert && (
          <p role="alert" className={css['alert']}>
            {alert}
          </p>
        )}
        {isClient && <BarPart page={page} />}
      </div>
      {count > 0 && (
        <button type="button" className={css['ghost']} data-command="clear" title={words.tips.clear} onClick={() => clearPage(page)}>
          清空
        </button>
      )}
      <div className={css['buttons']}>
        {settings && (
          <button type="button" className={css['line']} onClick={settings.onOpen}>
            <SlidersHorizontal size={18} aria-hidden />
            设置{settings.summary && <small>{settings.summary}</small>}
          </button>
        )}
        {failed > 0 && active === 0 && !takesAll && (
          <button type="button" className={css['line']} onClick={() => onStart(failedIds(page))}>
            重试失败的 {failed} 个
          </button>
        )}
        {done > 0 && isClient && <ShowAll page={page} className={css['line']} />}
        {done > 0 && !isClient && (
          <button type="button" className={css['line']} onClick={download}>
            全部下载
          </button>
        )}
        {active > 0 && (
          <button type="button" className={css['line']} data-command="cancel-all" onClick={() => cancelAll(page)}>
            全部取消
          </button>
        )}
        {/* Always there, and not `disabled` once pressed: so it keeps the focus, and pressed twice it has not become 全部取消. */}
        <button
          type="button"
          className={css['primary']}
          data-command="start"
          title={words.tips.start}
          disabled={count === 0}
          aria-disabled={!canStart}
          onClick={() => {
            if (canStart) onStart()
          }}
        >
          开始处理
        </button>
      </div>
    </div>
  )
}

/** Says that there is nothing left, until there is again. */
function UsedUp({ page }: { page: string }) {
  const left = useAtomValue(leftAtom(page))
  const { loginVIP } = useAtomValue(sessionAtom)
  if (left !== undefined && left > 0) return null
  return (
    <div className={css['quota']}>
      <p role="status">{loginVIP ? '次数已用完，开通终身会员可继续处理' : '免费次数已用完，开通会员可继续处理'}</p>
      <button type="button" aria-haspopup="dialog" onClick={() => openDialog('cashier')}>
        开通会员
      </button>
    </div>
  )
}

/** A number and its unit stay on one line, and so do two sizes that are compared. */
const sizes = (...bytes: readonly number[]) => <span>{bytes.map(formatBytes).join(' → ')}</span>

function summary({ active, bytes, count, done, doneAfter, doneBefore, failed }: Totals, savesBytes: boolean) {
  if (count === 0) return '还没有文件'
  const saved = savesBytes ? savedPercent(doneBefore, doneAfter) : ''
  return (
    <>
      共 {count} 个文件 · {sizes(bytes)}
      {done > 0 && (
        <>
          ，已完成 {done} 个：{sizes(doneBefore, doneAfter)}
          {saved !== '' && (
            <>
              ，<b>省 {saved}</b>
            </>
          )}
        </>
      )}
      {failed > 0 && `，失败 ${failed} 个`}
      {active > 0 && `，进行中 ${active} 个`}
    </>
  )
}
