import { cleanPerson, type WechatLogin, type WechatPerson } from './wechat-login.ts'
import { isSame, sign } from '../secrets.ts'
import { AppError } from '#shared/errors/app-error'

const CODE_LASTS_MS = 10 * 60_000

/** Stands in for WeChat where payments are pretended: whoever names a person on its page is that person. */
export class SandboxWechatLogin implements WechatLogin {
  readonly avatarOrigin = undefined
  readonly #key: Buffer
  readonly #now: () => number

  constructor(key: Buffer, now: () => number) {
    this.#key = key
    this.#now = now
  }

  agreeUrl = (state: string): string => `/api/user/wxlogin/sandbox?state=${encodeURIComponent(state)}`

  /** The name of a computer's own person: not to be guessed, so that strangers are not the same person by pressing the same button. */
  ownName(deviceId: string): string {
    return sign(this.#key, `person of ${deviceId}`).slice(0, 20)
  }

  /** What the person's agreement is worth. */
  codeFor(name: string): string {
    const said = Buffer.from(JSON.stringify({ name, until: this.#now() + CODE_LASTS_MS })).toString('base64url')
    return `${said}.${sign(this.#key, said)}`
  }

  personOf = async (code: string): Promise<WechatPerson> => {
    const [said = '', signature = ''] = code.split('.')
    if (!isSame(signature, sign(this.#key, said))) throw new AppError('wxlogin.failed', {})
    const { name, until } = JSON.parse(Buffer.from(said, 'base64url').toString()) as { name: string; until: number } // signed here
    if (until < this.#now()) throw new AppError('wxlogin.failed', {})
    return cleanPerson({
      openid: sign(this.#key, `openid of ${name}`).slice(0, 28),
      nickname: `微信用户${name.slice(0, 4)}`,
      headimgurl: '',
    })
  }
}
