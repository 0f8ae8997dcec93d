import type { UpdateState } from '#shared/desktop'

/** A button's words, and the channel it asks. */
interface UpdateWords {
  readonly text: string
  readonly button?: string
  readonly step?: 'updates:check' | 'updates:download' | 'updates:install'
}

/** How an update stands in words, and what the button beside them does. */
export function updateWords(update: UpdateState, version: string): UpdateWords {
  switch (update.at) {
    case 'idle':
      return { text: `当前版本 ${version}`, button: '检查更新', step: 'updates:check' }
    case 'checking':
      return { text: '正在检查更新…' }
    case 'current':
      return { text: `当前版本 ${version}，已是最新`, button: '检查更新', step: 'updates:check' }
    case 'found':
      return { text: `发现新版本 ${update.version}`, button: '下载更新', step: 'updates:download' }
    case 'downloading':
      return { text: `正在下载新版本 ${update.version}… ${Math.floor(update.fraction * 100)}%` }
    case 'ready':
      return { text: `新版本 ${update.version} 已下载，重新启动后更新`, button: '立即更新', step: 'updates:install' }
    case 'failed':
      return { text: '更新没有完成，请检查网络后重试', button: '重试', step: 'updates:check' }
  }
}
