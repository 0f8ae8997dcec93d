import { useEffect } from 'react'
import { useAtomValue } from 'jotai'
import { Check } from 'lucide-react'
import css from './cashier.module.css'
import { closeCashier, finishPurchase, tellDownload } from './flow.ts'
import { PayWays } from './pay-ways.tsx'
import { PlanCards } from './plan-cards.tsx'
import { SandboxNote } from './sandbox-note.tsx'
import { useCheckout } from './use-checkout.ts'
import { sessionAtom } from '../state/session.ts'
import { Modal } from '../ui/modal.tsx'
import { COMPUTERS } from '#shared/membership'
import { decimalYuan, planCards, plans } from '#shared/plans'

const POLL_MS = 3000

const benefits = [
  '张数终身有效',
  '十二年运营',
  '网站全部功能',
  '指定大小压缩',
  '专业算法',
  '批量压缩',
  '数十种格式转换',
  '改尺寸·自由裁剪',
  'AI特效·抠图',
  '专属客服',
]

/** Where membership is bought. */
export function Cashier() {
  const { loginID } = useAtomValue(sessionAtom)
  useEffect(() => void tellDownload(), [])
  return (
    <Modal
      title="开通会员"
      note={`一次开通，网站与客户端通用，最多 ${COMPUTERS} 台电脑同时登录`}
      widthPx={800}
      isGold
      onClose={closeCashier}
    >
      <ul className={css['benefits']}>
        {benefits.map((benefit) => (
          <li key={benefit}>
            <Check size={14} strokeWidth={2.5} aria-hidden />
            {benefit}
          </li>
        ))}
      </ul>
      <SandboxNote />
      <Steps key={loginID} identity={loginID} />
      <p className={css['fine']}>支付成功后显示会员账号和密码，请妥善保管；同一账号可在 {COMPUTERS} 台电脑同时登录。</p>
    </Modal>
  )
}

function Steps({ identity }: { identity: string }) {
  const { checkout, view } = useCheckout({ identity, plan: planCards[0].code, pollMs: POLL_MS, onPaid: finishPurchase })
  return (
    <>
      <PlanCards chosen={view.plan} onChoose={(plan) => checkout.choose(plan)} />
      <h3 className={css['step']}>2. 选择支付方式</h3>
      <PayWays checkout={checkout} offers={view.offers} amount={`¥${decimalYuan(plans[view.plan].amountFen)}`} />
    </>
  )
}
