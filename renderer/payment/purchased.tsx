import { useState } from 'react'
import { useAtomValue } from 'jotai'
import css from './purchased.module.css'
import { copyText } from '../platform/clipboard.ts'
import { saveText } from '../platform/save.ts'
import { closeDialog } from '../state/dialogs.ts'
import { sessionAtom } from '../state/session.ts'
import { Modal } from '../ui/modal.tsx'
import { words } from '../words.ts'

/** Says that the purchase went through, and which account it belongs to. */
export function Purchased() {
  const { loginID } = useAtomValue(sessionAtom)
  const [done, setDone] = useState('')
  const copy = (): Promise<void> =>
    copyText(loginID).then(
      () => setDone('已复制'),
      () => setDone('复制失败，请选中上面的账号手动复制。'),
    )
  const keep = (): void => {
    saveText(`轻图会员账号：${loginID}\r\n`, '轻图会员账号.txt')
    setDone(words.savedText)
  }
  return (
    <Modal title="开通成功" widthPx={416} onClose={closeDialog}>
      <p className={css['text']}>恭喜您，会员账号为</p>
      <p className={css['account']}>{loginID}</p>
      <p className={css['text']}>请妥善保管。登录网站或客户端只需要这个账号，它同时也是密码，请勿告诉他人。</p>
      <p className={css['done']} role="status">
        {done}
      </p>
      <div className={css['buttons']}>
        <button type="button" onClick={() => void copy()}>
          复制
        </button>
        <button type="button" onClick={keep}>
          保存为文本
        </button>
        <button type="button" data-main onClick={closeDialog}>
          确定
        </button>
      </div>
    </Modal>
  )
}
