import { Check } from 'lucide-react'
import css from './plan-cards.module.css'
import { planCards, plans, yuan, type PlanCode } from '#shared/plans'

/** The plans to choose from, with what they cost and give. */
export function PlanCards({ chosen, onChoose }: { chosen: PlanCode; onChoose: (plan: PlanCode) => void }) {
  return (
    <fieldset className={css['plans']}>
      <legend>1. 选择套餐</legend>
      {planCards.map(({ code, originalFen, savingFen, words, ribbon }) => (
        <label key={code} className={css['plan']}>
          <input type="radio" name="plan" className="visually-hidden" checked={code === chosen} onChange={() => onChoose(code)} />
          {ribbon !== undefined && <span className={css['ribbon']}>{ribbon}</span>}
          <span className={css['name']}>{plans[code].label}</span>
          <span className={css['price']}>
            <b>
              <small>¥</small>
              {yuan(plans[code].amountFen)}
            </b>
            <s>原价 ¥{yuan(originalFen)}</s>
            <span className={css['saving']}>省 ¥{yuan(savingFen)}</span>
          </span>
          <span className={css['words']}>{words}</span>
          <Check className={css['tick']} size={14} strokeWidth={3} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
