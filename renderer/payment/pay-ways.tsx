import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { methods, type Checkout, type Method, type Offer } from './checkout.ts'
import { sandboxPage } from './pay-address.ts'
import css from './pay-ways.module.css'
import { WechatCode } from './wechat-code.tsx'
import { siteAtom } from '../state/site.ts'
import { failureText } from '../text.ts'
import { messageOf } from '../words.ts'

const words: Readonly<Record<Method, { readonly name: string; readonly hint: string }>> = {
  wechat: { name: '微信支付', hint: '请使用微信扫一扫' },
  alipay: { name: '支付宝', hint: '请使用支付宝扫一扫' },
}

const NOT_YET = '暂未查询到付款。若已付款，通常 1 分钟内到账，请勿重复支付。'

interface Props {
  readonly checkout: Checkout
  readonly offers: Readonly<Record<Method, Offer>>
  /** As people read it: `¥28.00`. */
  readonly amount: string
  /** Each with its words below the code, where there is no room beside it. */
  readonly isNarrow?: boolean
}

/** Both ways to pay, side by side; on a phone one below the other. */
export function PayWays({ checkout, offers, amount, isNarrow }: Props) {
  return (
    <>
      <p className={css['phone']}>在手机上打开了本页？请用另一部手机扫码，或在电脑上打开本站开通，再用会员账号在手机登录。</p>
      <div className={css['ways']} data-narrow={isNarrow}>
        {/* Another plan is another one: what was answered before is not about it. */}
        {methods.map((method) => (
          <Way key={`${method} ${checkout.view().plan}`} checkout={checkout} method={method} offer={offers[method]} amount={amount} />
        ))}
      </div>
    </>
  )
}

function Way({ checkout, method, offer, amount }: { checkout: Checkout; method: Method; offer: Offer; amount: string }) {
  const { name, hint } = words[method]
  const [answer, setAnswer] = useState<'none' | 'asking' | { readonly text: string }>('none')
  const refresh = (): void => {
    setAnswer('none')
    checkout.refresh(method)
  }
  const check = async (): Promise<void> => {
    setAnswer('asking')
    const isPaid = await checkout.check(method).catch(failureText)
    setAnswer({ text: typeof isPaid === 'boolean' ? NOT_YET : isPaid })
  }
  const canAsk = offer.at === 'shown' || offer.at === 'expired'
  return (
    <section className={css['way']} aria-label={name}>
      <div className={css['frame']}>
        <Picture method={method} offer={offer} />
      </div>
      <div className={css['words']}>
        <h4>{name}</h4>
        {offer.at !== 'off' && <p>{hint}</p>}
        {offer.at !== 'off' && <p className={css['amount']}>{amount}</p>}
        {method === 'wechat' && offer.at === 'shown' && <SandboxLink code={offer.code} />}
        <Trouble offer={offer} onRefresh={refresh} />
        {canAsk && (
          <div className={css['actions']}>
            <button type="button" aria-disabled={answer === 'asking'} onClick={() => answer !== 'asking' && void check()}>
              {answer === 'asking' ? '正在查询…' : '我已支付'}
            </button>
            {offer.at === 'shown' && (
              <button type="button" aria-label={`刷新${name}二维码`} onClick={refresh}>
                刷新
              </button>
            )}
          </div>
        )}
      </div>
      <p className={css['answer']} role="status">
        {typeof answer === 'object' && answer.text}
      </p>
    </section>
  )
}

/** The code itself; where there is none, its place. */
function Picture({ method, offer }: { method: Method; offer: Offer }) {
  if (offer.at === 'loading') return <p className={css['blank']}>正在生成二维码…</p>
  if (offer.at !== 'shown') return <div className={css['blank']} data-over />
  if (method === 'wechat') return <WechatCode text={offer.code} />
  return (
    <iframe
      className={css['code']}
      title="支付宝付款页"
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
      referrerPolicy="no-referrer"
      src={offer.code}
    />
  )
}

/** Alipay's page is in its frame; WeChat's code would need a phone that knows the sandbox. */
function SandboxLink({ code }: { code: string }) {
  const isSandbox = useAtomValue(siteAtom)?.isSandbox ?? false
  return (
    isSandbox && (
      <a className={css['again']} href={sandboxPage(code)} target="_blank" rel="noreferrer">
        打开沙箱付款页
      </a>
    )
  )
}

function Trouble({ offer, onRefresh }: { offer: Offer; onRefresh: () => void }) {
  switch (offer.at) {
    case 'loading':
    case 'shown':
      return null
    case 'off':
      return <p>{messageOf({ code: 'payment.unavailable', data: {} })}</p>
    case 'expired':
      return <Again text={messageOf({ code: 'payment.code-expired', data: {} })} onRefresh={onRefresh} />
    case 'failed': {
      // These say what to do; of anything else the person needs to know only that there is no code.
      const isTelling = offer.error.code === 'rate.limited' || offer.error.code === 'plan.unknown'
      return <Again text={messageOf(isTelling ? offer.error : { code: 'payment.code-failed', data: {} })} onRefresh={onRefresh} />
    }
  }
}

function Again({ text, onRefresh }: { text: string; onRefresh: () => void }) {
  return (
    <p role="alert">
      <button type="button" className={css['again']} onClick={onRefresh}>
        {text}
      </button>
    </p>
  )
}
