import { openSite } from './client-state.ts'
import css from '../dialogs/form.module.css'

/** WeChat's own page has no place in the client's locked window: who signs in by it finds their account on the website. */
export function WechatHint() {
  return (
    <p className={css['hint']}>
      用微信登录的会员：在
      <button type="button" className={css['link']} onClick={() => void openSite('/')}>
        网站
      </button>
      的账号面板里复制会员账号，粘贴到上面即可。
    </p>
  )
}
