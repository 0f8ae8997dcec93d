import type { DeviceView } from '#shared/api/devices'

/** What a computer is signed in with. */
export const deviceKinds: Readonly<Record<DeviceView['kind'], string>> = { web: '网页', desktop: '客户端' }

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/** How long ago a computer was last seen; `at` is an ISO time, `nowMs` of the clock. */
export function seenText(at: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(at)) / MINUTE_MS)
  if (minutes < 1) return '刚刚在用'
  if (minutes < 60) return `${minutes} 分钟前在用`
  if (minutes < DAY_MINUTES) return `${Math.floor(minutes / 60)} 小时前在用`
  return `${Math.floor(minutes / DAY_MINUTES)} 天前在用`
}
