import { useAtomValue } from 'jotai'
import { DeviceChoice } from './device-choice.tsx'
import type { DialogProps } from './dialogs.tsx'
import css from './form.module.css'
import { IdForm } from './id-form.tsx'
import { signInById } from '../state/account.ts'
import { openDialog } from '../state/dialogs.ts'
import { hasRows } from '../state/rows.ts'
import { siteAtom } from '../state/site.ts'
import { Modal } from '../ui/modal.tsx'
import { messageOf } from '../words.ts'

/** Signs a member in by the account id. */
export function Login({ onClose }: DialogProps) {
  const site = useAtomValue(siteAtom)
  return (
    <Modal title="请输入会员账号ID" widthPx={280} onClose={onClose}>
      <IdForm
        label="会员账号ID"
        placeholder="请输入会员账号ID"
        required={messageOf({ code: 'account.required', data: {} })}
        onSubmit={async (id) => void (await signInById(id))}
      />
      {site?.hasWechatLogin === true && (
        // Files picked here but not uploaded would be lost with this page.
        <a className={css['other']} href="/api/user/wxlogin/start" target={hasRows() ? '_blank' : undefined} rel="noreferrer">
          微信登录
        </a>
      )}
      <p className={css['hint']}>
        账号ID在开通会员付款后提供。忘记了？可用
        <button type="button" className={css['link']} onClick={() => openDialog('order-login')}>
          商户单号登录
        </button>
      </p>
      <DeviceChoice />
    </Modal>
  )
}
