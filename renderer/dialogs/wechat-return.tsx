import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { DeviceChoice } from './device-choice.tsx'
import { returnedFrom } from '../platform/wechat-address.ts'
import { signInByWechat } from '../state/wechat.ts'

/** What a sign-in at WeChat comes back to: shows nothing, settles it, and goes home. */
export function WechatReturn() {
  const navigate = useNavigate()
  // Effects run twice where React is built for development, a ticket once.
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    const returned = returnedFrom(location.search)
    // What is a credential stays neither in the address nor in the history.
    window.history.replaceState(null, '', location.pathname)
    void signInByWechat(returned).finally(() => navigate('/', { replace: true }))
  }, [navigate])
  return <DeviceChoice />
}
