import type { OfflineState } from '#shared/desktop'

/** How long, and how often, a member may work without a network. */
export function offlineText(state: OfflineState): string {
  if (!state) return '联网后自动开通'
  const day = new Date(state.until).toLocaleDateString('zh-CN', { month: 'long', day: 'numeric', timeZone: 'Asia/Shanghai' })
  return state.left === null ? `至${day}` : `至${day} · 剩 ${state.left} 次`
}
