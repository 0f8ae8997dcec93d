import { z } from 'zod/mini'
import { cleanText } from './clean-text.ts'
import { AppError } from '#shared/errors/app-error'

const PATIENCE_MS = 10_000
const LONGEST_NICKNAME = 64

/** A person as WeChat knows them: the id is of this site's app only. */
export interface WechatPerson {
  readonly openid: string
  readonly nickname: string
  readonly headimgurl: string
}

/** The place where people say that it is they (OAuth 2.0, code grant). */
export interface WechatLogin {
  /** Where the pictures of people are; nothing else is shown. */
  readonly avatarOrigin: string | undefined
  /** The page on which a person agrees; it comes back to `returnUrl` with a code and the state. */
  readonly agreeUrl: (state: string, returnUrl: string) => string
  /** Who agreed. Throws `wxlogin.failed`. */
  readonly personOf: (code: string) => Promise<WechatPerson>
}

const AVATAR_HOSTS = 'qlogo.cn'

/** What a person calls himself is text of one line, and his picture one of WeChat's or none. */
export function cleanPerson({ openid, nickname, headimgurl }: WechatPerson): WechatPerson {
  const url = URL.canParse(headimgurl) ? new URL(headimgurl) : undefined
  const isAvatar = url?.protocol === 'https:' && url.hostname.endsWith(`.${AVATAR_HOSTS}`) && url.port === '' && headimgurl.length <= 512
  return { openid, nickname: cleanText(nickname, LONGEST_NICKNAME), headimgurl: isAvatar ? url.href : '' }
}

const granted = z.object({ access_token: z.string(), openid: z.string().check(z.minLength(1), z.maxLength(128)) })
const person = z.object({ openid: z.string(), nickname: z.string(), headimgurl: z.string() })

/** WeChat itself, for websites: developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html */
export class WechatWebsite implements WechatLogin {
  readonly avatarOrigin = `https://*.${AVATAR_HOSTS}`
  readonly #appId: string
  readonly #secret: string
  readonly #api: string

  constructor(appId: string, secret: string, api = 'https://api.weixin.qq.com') {
    this.#appId = appId
    this.#secret = secret
    this.#api = api
  }

  agreeUrl = (state: string, returnUrl: string): string => {
    const query = new URLSearchParams({
      appid: this.#appId,
      redirect_uri: returnUrl,
      response_type: 'code',
      scope: 'snsapi_login',
      state,
    })
    return `https://open.weixin.qq.com/connect/qrconnect?${query}#wechat_redirect`
  }

  personOf = async (code: string): Promise<WechatPerson> => {
    const grant = await this.#ask('/sns/oauth2/access_token', granted, {
      appid: this.#appId,
      secret: this.#secret,
      code,
      grant_type: 'authorization_code',
    })
    const told = await this.#ask('/sns/userinfo', person, { access_token: grant.access_token, openid: grant.openid, lang: 'zh_CN' })
    if (told.openid !== grant.openid) throw new AppError('wxlogin.failed', {})
    return cleanPerson(told)
  }

  async #ask<Shape extends z.ZodMiniType>(path: string, shape: Shape, query: Record<string, string>): Promise<z.output<Shape>> {
    const parsed = shape.safeParse(await this.#fetch(`${this.#api}${path}?${new URLSearchParams(query)}`))
    // A refusal is an `errcode` under status 200. What was asked holds the app's secret, so no word of it is kept.
    if (!parsed.success) throw new AppError('wxlogin.failed', {})
    return parsed.data
  }

  async #fetch(url: string): Promise<unknown> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' })
      return await response.json()
    } catch {
      return undefined
    }
  }
}
