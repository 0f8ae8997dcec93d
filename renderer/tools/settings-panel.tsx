import { useAtomValue } from 'jotai'
import { PageForm } from './page-form.tsx'
import { useOtherSide } from './use-other-side.ts'
import css from './settings-panel.module.css'
import { clearPage } from '../state/batch.ts'
import { costAtom, leftAtom } from '../state/left.ts'
import { showsPeople } from '../state/consent.ts'
import { sessionAtom } from '../state/session.ts'
import { totalsAtom } from '../state/totals.ts'
import { changeSettings, settingsAtom } from '../state/settings.ts'
import { leftText } from '../text.ts'
import { words } from '../words.ts'
import { Sheet } from '../ui/sheet.tsx'
import { findPage } from '#shared/tools/index'

interface Props {
  readonly path: string
}

/** A tool's settings, made from its fields; what was last used on a page is there again. */
export function SettingsPanel({ path }: Props) {
  return (
    <aside className={css['panel']} aria-label="设置">
      <PageSettings path={path} />
      <Notes path={path} />
    </aside>
  )
}

/** The same over the page, for phones, where beside the files there is no room. */
export function SettingsSheet({ path, onClose }: Props & { readonly onClose: () => void }) {
  return (
    <Sheet title="设置" onClose={onClose}>
      <PageSettings path={path} />
      <Notes path={path} />
      <button type="button" className={css['done']} onClick={onClose}>
        完成
      </button>
    </Sheet>
  )
}

function PageSettings({ path }: Props) {
  const options = useAtomValue(settingsAtom(path))
  const placeholders = useOtherSide(path, options)
  return <PageForm path={path} values={options} placeholders={placeholders} onChange={(next) => changeSettings(path, next)} />
}

/** What is left to do, in a line whose place is kept until it is known. */
function Left({ path }: { path: string }) {
  const left = useAtomValue(leftAtom(path))
  const { loginVIP } = useAtomValue(sessionAtom)
  const cost = useAtomValue(costAtom(path))
  return <span aria-live="polite">{leftText(left, loginVIP, cost)}</span>
}

const PRIVACY = '图片只用于本次处理，绝不用于训练。'

function Notes({ path }: { path: string }) {
  const { count } = useAtomValue(totalsAtom(path))
  const tool = findPage(path)?.tool
  const isCutOut = useAtomValue(costAtom(path)) === 'ai' && tool?.section !== 'effect'
  return (
    <p className={css['note']}>
      {words.stay}
      {words.removal && count > 0 && (
        <>
          {words.removal.offer}
          <button type="button" onClick={() => clearPage(path)}>
            {words.removal.button}
          </button>
        </>
      )}
      {count === 0 && words.removal?.none}。
      <br />
      {tool?.section === 'pdf'
        ? '失败或取消的文件不计次数。'
        : isCutOut
          ? '失败或取消的图片不计次数，换背景、修边后重新处理不另计次数。'
          : tool?.colours
            ? '失败或取消的图片不计次数，修正颜色后重新处理不另计次数。'
            : '失败、取消或已是最优的图片不计次数。'}
      <br />
      {showsPeople(path) && (
        <>
          {PRIVACY}
          <br />
        </>
      )}
      <Left path={path} />
    </p>
  )
}
