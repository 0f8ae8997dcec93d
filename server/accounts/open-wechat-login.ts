import { SandboxWechatLogin } from './sandbox-wechat-login.ts'
import { WechatWebsite, type WechatLogin } from './wechat-login.ts'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'

/** WeChat where its keys are set, a stand-in where payments are pretended too, otherwise nothing. */
export function openWechatLogin({ wechatLogin, payments }: Config, secrets: Secrets, now: () => number): WechatLogin | undefined {
  if (wechatLogin) return new WechatWebsite(wechatLogin.WECHAT_LOGIN_APP_ID, wechatLogin.WECHAT_LOGIN_SECRET)
  return payments.kind === 'sandbox' ? new SandboxWechatLogin(secrets.key('wechat-sandbox'), now) : undefined
}
