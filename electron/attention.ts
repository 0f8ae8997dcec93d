import { Notification, type BrowserWindow } from 'electron'
import type { BatchState } from './jobs/batch.ts'
import { bringUp } from './window.ts'

/** What is said when a batch is over; undefined where nothing came of it that anybody waits for. */
export function wordsOf({ active, done, failed }: BatchState): string | undefined {
  if (active > 0 || done + failed === 0) return undefined
  if (failed === 0) return `${done} 个文件已处理完成。`
  return done === 0 ? `${failed} 个文件处理失败。` : `${done} 个文件已处理完成，${failed} 个失败。`
}

/** Shows in the task bar how far jobs are, and says when they are done while nobody looks at the window. */
export class Attention {
  readonly #window: () => BrowserWindow | undefined
  readonly #mayNotify: () => boolean
  #wasActive = false

  constructor(window: () => BrowserWindow | undefined, mayNotify: () => boolean) {
    this.#window = window
    this.#mayNotify = mayNotify
  }

  follow(state: BatchState): void {
    const window = this.#window()
    const { active, failed, fraction } = state
    // Below nothing takes the bar away.
    window?.setProgressBar(active > 0 ? fraction : -1, { mode: failed > 0 ? 'error' : 'normal' })
    const words = this.#wasActive ? wordsOf(state) : undefined
    this.#wasActive = active > 0
    if (words === undefined || !window || window.isFocused() || !this.#mayNotify() || !Notification.isSupported()) return
    const notification = new Notification({ title: '轻图', body: words })
    notification.on('click', () => bringUp(window))
    notification.show()
    window.once('focus', () => window.flashFrame(false))
    window.flashFrame(true)
  }
}
