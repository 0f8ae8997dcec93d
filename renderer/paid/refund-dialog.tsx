import { useId, useState, type FormEvent } from 'react'
import { ask } from './operator.ts'
import css from './paid.module.css'
import { failureText } from '../text.ts'
import { Modal } from '../ui/modal.tsx'
import { refundOrder } from '#shared/api/operators'

interface Props {
  readonly orderId: string
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}

/** Asks for the reason, and once more whether it is meant. */
export function RefundDialog({ orderId, onClose, onDone }: Props) {
  const id = useId()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState('')
  const [isSending, setSending] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isSending) return
    if (reason.trim() === '') {
      setFailure('请填写退款原因。')
      return
    }
    setSending(true)
    try {
      await ask(refundOrder, { orderId, reason })
      onClose()
      await onDone()
    } catch (thrown) {
      setFailure(failureText(thrown))
      setSending(false)
    }
  }
  return (
    <Modal title="确认退款" widthPx={416} onClose={onClose}>
      <form className={css['form']} noValidate onSubmit={(event) => void submit(event)}>
        <p>
          订单 <b>{orderId}</b> 的全部金额将原路退回，并收回它带来的会员权益。此操作不能撤销。
        </p>
        <label htmlFor={id}>退款原因</label>
        <input id={id} maxLength={80} value={reason} aria-required onChange={({ target }) => setReason(target.value)} />
        <p role="alert">{failure}</p>
        <div>
          <button type="button" onClick={onClose}>
            取消
          </button>
          <button type="submit" data-main="grave" aria-disabled={isSending}>
            {isSending ? '正在退款…' : '确认退款'}
          </button>
        </div>
      </form>
    </Modal>
  )
}
