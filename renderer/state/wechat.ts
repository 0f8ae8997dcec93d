import { signIn } from './account.ts'
import { openDialog, showMessage } from './dialogs.ts'
import { changeSession, entered, sessionAtom } from './session.ts'
import { store } from './store.ts'
import { transport } from '../platform/http.ts'
import type { Returned } from '../platform/wechat-address.ts'
import { failureText } from '../text.ts'
import { CONTROL_MS, send } from '#shared/api/send'
import { confirmWxlogin } from '#shared/api/user'
import { AppError } from '#shared/errors/app-error'

/** Takes over what came back, and keeps it if the server confirms it by its ticket; else the former identity is there again. */
export async function signInByWechat({ openid, nickname, headimgurl, ticket }: Returned): Promise<void> {
  // Given up at WeChat.
  if (ticket === '') return tellUndone(new AppError('wxlogin.failed', {}))
  await entered()
  const former = store.get(sessionAtom)
  const restore = (): void => {
    const { loginID, loginPhone, loginImg, loginVIP } = former
    changeSession({ loginID, loginPhone, loginImg, loginVIP })
  }
  changeSession({ loginID: openid, loginPhone: nickname, loginImg: headimgurl })
  try {
    const isIn = await signIn(async (computer) => {
      const confirmed = await send(transport, confirmWxlogin, { ticket, ...computer }, { deadlineMs: CONTROL_MS })
      return { openid: confirmed.openid, username: confirmed.nickname, avatar: confirmed.headimgurl }
    })
    if (!isIn) restore()
  } catch (error) {
    restore()
    tellUndone(error)
  }
}

function tellUndone(error: unknown): void {
  const action = { label: '重新登录', run: () => openDialog('login') }
  showMessage({ title: '微信登录未完成', text: failureText(error), button: '我知道了', action })
}
