import { useAtomValue } from 'jotai'
import css from './support-panels.module.css'
import { factText, siteAtom } from '../state/site.ts'
import { UNSET } from '#shared/site'
import { formatBytes } from '#shared/units'

/** The version of the Windows client on offer. */
const CLIENT_VERSION = '1.2.3'

/** The Windows client: where it is, and by what one can tell that it is unharmed. */
export function DownloadPanel() {
  const installer = useAtomValue(siteAtom)?.facts.installer
  if (!installer) return <p>客户端下载：{UNSET}</p>
  return (
    <div className={css['panel']}>
      <p className={css['title']}>
        轻图 Windows 客户端 {CLIENT_VERSION}
        <small>{formatBytes(installer.bytes)}</small>
      </p>
      <a className={css['main']} href={installer.url} rel="noreferrer" download>
        下载安装包
      </a>
      <p className={css['hash']}>
        SHA-256
        <code>{installer.sha256.toLowerCase()}</code>
      </p>
    </div>
  )
}

/** How to reach the people behind the site. */
export function ServicePanel() {
  const facts = useAtomValue(siteAtom)?.facts
  return (
    <div className={css['panel']}>
      {facts?.serviceQr === undefined ? (
        <p className={css['qr']}>{facts && `客服二维码：${UNSET}`}</p>
      ) : (
        <img className={css['qr']} src={facts.serviceQr} width="200" height="200" alt="客服二维码" referrerPolicy="no-referrer" />
      )}
      {facts?.serviceQr !== undefined && <p className={css['scan']}>扫码联系客服</p>}
      <p>联系方式：{factText(facts, 'contact')}</p>
      <p>客服微信：{factText(facts, 'messagingContact')}</p>
    </div>
  )
}
