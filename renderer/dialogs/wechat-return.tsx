import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { DeviceChoice } from './device-choice.tsx'
import { returnedFrom, signInByWechat } from '../state/wechat.ts'

/** What a sign-in at WeChat comes back to: shows nothing, settles it, and goes home. */
export function WechatReturn() {
  const navigate = useNavigate()
  useEffect(() => {
    const returned = returnedFrom(location.search)
    // Credentials stay neither in the address nor in the history. Run twice by StrictMode, the second finds nothing.
    if (!returned) return
    window.history.replaceState(null, '', location.pathname)
    void signInByWechat(returned).finally(() => navigate('/', { replace: true }))
  }, [navigate])
  return <DeviceChoice />
}
