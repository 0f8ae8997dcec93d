import { useEffect, useState } from 'react'
import { useAtomValue } from 'jotai'
import css from './about-dialog.module.css'
import { openSite } from './client-state.ts'
import { UpdateLine } from './update-line.tsx'
import { desktop } from '../platform/desktop.ts'
import { factText, siteAtom } from '../state/site.ts'
import { Fact, Facts } from '../ui/facts.tsx'
import { Modal } from '../ui/modal.tsx'

/** Where the client serves the licences of what it is made of. */
const NOTICES = '/third-party-notices.txt'

/** Which program this is, whose, and of what it is made. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const facts = useAtomValue(siteAtom)?.facts
  const [hasLicences, setLicences] = useState(false)
  if (hasLicences) return <Licences onClose={() => setLicences(false)} />
  return (
    <Modal title="关于轻图" widthPx={416} onClose={onClose}>
      <div className={css['head']}>
        <img src="/icon.svg" width="48" height="48" alt="" />
        <p>
          <b>轻图 Windows 客户端</b>
          <small>图片和 PDF 都在本机处理，文件不会离开这台电脑。</small>
        </p>
      </div>
      <UpdateLine />
      <div className={css['facts']}>
        <Facts>
          <Fact name="版本">{desktop?.version}</Fact>
          {facts && (
            <>
              <Fact name="公司">{factText(facts, 'company')}</Fact>
              <Fact name="版权">{factText(facts, 'copyright')}</Fact>
              <Fact name="联系方式">{factText(facts, 'contact')}</Fact>
              <Fact name="客服微信">{factText(facts, 'messagingContact')}</Fact>
            </>
          )}
        </Facts>
      </div>
      <div className={css['buttons']}>
        <button type="button" onClick={() => setLicences(true)}>
          开源许可
        </button>
        <button type="button" onClick={() => void openSite('/')}>
          访问网站
        </button>
      </div>
    </Modal>
  )
}

function Licences({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('正在打开…')
  useEffect(() => {
    const open = async (): Promise<string> => {
      const answer = await fetch(NOTICES)
      // What is not there is answered by the page itself.
      if (!answer.ok || answer.headers.get('content-type')?.startsWith('text/plain') !== true)
        throw new Error(`${NOTICES} answered ${answer.status}`)
      return answer.text()
    }
    open().then(setText, () => setText('许可文件在安装文件夹的 resources 里：third-party-notices.txt。'))
  }, [])
  return (
    <Modal title="开源许可" widthPx={720} onClose={onClose}>
      <pre className={css['licences']} tabIndex={0}>
        {text}
      </pre>
    </Modal>
  )
}
