import { useState } from 'react'
import { useAtomValue } from 'jotai'
import css from './account-panel.module.css'
import { Computers } from './computers.tsx'
import { OfflineAllowance } from '../client/offline-allowance.tsx'
import { copyText } from '../platform/clipboard.ts'
import { isClient } from '../platform/desktop.ts'
import { quotaAtom, signOut, type Quota } from '../state/account.ts'
import { openDialog, type DialogName } from '../state/dialogs.ts'
import { sessionAtom } from '../state/session.ts'
import { factText, siteAtom } from '../state/site.ts'
import { failureText } from '../text.ts'
import { Fact, Facts } from '../ui/facts.tsx'
import { remainingText } from '#shared/membership'
import { maskedAccount } from '#shared/session'

/** What who is signed in has, and what can be done about it. `onDone` is told when something else takes over. */
export function AccountPanel({ onDone }: { onDone: () => void }) {
  const { loginVIP } = useAtomValue(sessionAtom)
  const quota = useAtomValue(quotaAtom)
  const facts = useAtomValue(siteAtom)?.facts
  const [failure, setFailure] = useState('')
  if (!quota) return <p role="status">加载中…</p>
  const leaveFor = (name: DialogName): void => {
    onDone()
    openDialog(name)
  }
  const leave = (): void => {
    setFailure('')
    signOut().then(onDone, (error: unknown) => setFailure(failureText(error)))
  }
  return (
    <div className={css['account']}>
      {loginVIP ? <Membership quota={quota} /> : <Person quota={quota} />}
      {!quota.isForever && (
        <button type="button" className={css['join']} onClick={() => leaveFor('cashier')}>
          {loginVIP ? '开通终身会员' : '开通会员'}
        </button>
      )}
      <Computers />
      <Facts>
        <Fact name="联系方式">{factText(facts, 'contact')}</Fact>
        <Fact name="客服微信">{factText(facts, 'messagingContact')}</Fact>
      </Facts>
      <div className={css['buttons']}>
        {loginVIP && (
          <button type="button" onClick={() => leaveFor('invoice')}>
            开票
          </button>
        )}
        <button type="button" onClick={leave}>
          退出登录
        </button>
      </div>
      {failure !== '' && (
        <p role="alert" className={css['alert']}>
          {failure}
        </p>
      )}
    </div>
  )
}

function Membership({ quota }: { quota: Quota }) {
  return (
    <>
      <Account />
      <Facts>
        <Fact name="会员类型">
          <span className={css['chip']}>{quota.isForever ? '终身会员' : '次数会员'}</span>
        </Fact>
        <Fact name="剩余次数">{remainingText(quota)}</Fact>
        {isClient && <OfflineAllowance />}
      </Facts>
    </>
  )
}

/** Somebody signed in who has bought nothing: a name, and what is free today. No account id, which would sign nobody in. */
function Person({ quota: { free } }: { quota: Quota }) {
  const { loginPhone } = useAtomValue(sessionAtom)
  return (
    <Facts>
      <Fact name="微信登录">{loginPhone}</Fact>
      <Fact name="会员类型">未开通会员</Fact>
      <Fact name="今日免费">
        图片 {free.image} · AI {free.ai} · 文档 {free.document}
      </Fact>
    </Facts>
  )
}

/** The account id: masked until it is asked for, since others look at the same screen. */
function Account() {
  const session = useAtomValue(sessionAtom)
  const [isShown, setShown] = useState(false)
  const [note, setNote] = useState('')
  const copy = (): void => {
    copyText(session.loginID).then(
      () => setNote('已复制'),
      () => {
        // It is there to be copied by hand.
        setShown(true)
        setNote('无法自动复制，请选中账号手动复制。')
      },
    )
  }
  return (
    <div className={css['id']}>
      <p>
        会员账号
        <span>
          <button type="button" onClick={() => setShown(!isShown)}>
            {isShown ? '隐藏' : '显示'}
          </button>
          <button type="button" onClick={copy}>
            复制
          </button>
        </span>
      </p>
      <output>{isShown ? session.loginID : maskedAccount(session)}</output>
      <p role="status" className={css['note']}>
        {note}
      </p>
    </div>
  )
}
