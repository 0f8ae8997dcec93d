import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { UserRound } from 'lucide-react'
import css from './avatar.module.css'
import { siteAtom } from '../state/site.ts'
import { isAvatarAddress } from '../platform/avatar-address.ts'

/** A member's picture, where it comes from where such pictures may come from. */
export function Avatar({ url }: { url: string }) {
  const imageHost = useAtomValue(siteAtom)?.facts.imageHost
  const [failed, setFailed] = useState('')
  const isShown = url !== '' && url !== failed && isAvatarAddress(url, imageHost)
  return (
    <span className={css['avatar']}>
      {isShown ? (
        <img src={url} width="28" height="28" alt="" referrerPolicy="no-referrer" onError={() => setFailed(url)} />
      ) : (
        <UserRound size={16} aria-hidden />
      )}
    </span>
  )
}
