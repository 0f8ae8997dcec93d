import { DeviceChoice } from './device-choice.tsx'
import type { DialogProps } from './dialogs.tsx'
import css from './form.module.css'
import { IdForm } from './id-form.tsx'
import { signInByOrder } from '../state/account.ts'
import { showMessage } from '../state/dialogs.ts'
import { Modal } from '../ui/modal.tsx'
import { messageOf } from '../words.ts'
import { toWire } from '#shared/errors/app-error'

/** Signs a member in by the number of a paid order. */
export function OrderLogin({ onClose }: DialogProps) {
  return (
    <Modal title="商户单号登录" widthPx={320} onClose={onClose}>
      <IdForm label="商户单号" placeholder="请输入商户单号" required="请输入商户单号。" onSubmit={enter} />
      <p className={css['hint']}>微信：账单详情里的“商户单号”；支付宝：账单详情里的“商家订单号”。</p>
      <DeviceChoice />
    </Modal>
  )
}

async function enter(orderid: string): Promise<void> {
  try {
    const isIn = await signInByOrder(orderid)
    if (isIn) showMessage({ title: '登录成功', text: '登录成功，会员权益已恢复。', button: '确定' })
  } catch (error) {
    const failure = toWire(error)
    if (failure.code !== 'order.not-found') throw error
    showMessage({ title: '温馨提示', text: messageOf(failure), button: '我知道了' })
  }
}
