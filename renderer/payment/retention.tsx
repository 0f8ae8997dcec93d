import { useEffect, useRef } from 'react'
import { useAtomValue } from 'jotai'
import { finishPurchase } from './flow.ts'
import { PayWays } from './pay-ways.tsx'
import css from './retention.module.css'
import { SandboxNote } from './sandbox-note.tsx'
import { useCheckout } from './use-checkout.ts'
import { closeDialog } from '../state/dialogs.ts'
import { sessionAtom } from '../state/session.ts'
import { Modal } from '../ui/modal.tsx'
import { decimalYuan, plans, yuan } from '#shared/plans'

const POLL_MS = 2000
const { amountFen, gives } = plans.retentionWeb

/** The offer to somebody who leaves the cashier without having paid. */
export function Retention() {
  const { loginID } = useAtomValue(sessionAtom)
  const offer = useRef<HTMLParagraphElement>(null)
  // The focus begins at the offer, not at what declines it.
  useEffect(() => offer.current?.focus(), [])
  return (
    <Modal title="恭喜您成为幸运用户" widthPx={416} isGold onClose={closeDialog}>
      <p ref={offer} className={css['offer']} tabIndex={-1}>
        专享特惠价
        <b>
          <small>¥</small>
          {yuan(amountFen)}
        </b>
        <span>
          {gives.credits} 张 · 约 {decimalYuan(amountFen / gives.credits)} 元/张 · 终身有效，永不过期
        </span>
      </p>
      <SandboxNote />
      <Ways key={loginID} identity={loginID} />
      <button type="button" className={css['leave']} onClick={closeDialog}>
        放弃优惠
      </button>
    </Modal>
  )
}

function Ways({ identity }: { identity: string }) {
  const { checkout, view } = useCheckout({ identity, plan: 'retentionWeb', pollMs: POLL_MS, onPaid: finishPurchase })
  return <PayWays checkout={checkout} offers={view.offers} amount={`¥${decimalYuan(amountFen)}`} isNarrow />
}
