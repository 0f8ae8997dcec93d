import { messageOf as toldOnSite, type WireError } from '#shared/errors/app-error'
import type { ErrorCode, ErrorData } from '#shared/errors/codes'
import { MAX_FILE_BYTES } from '#shared/api/jobs'
import { formatBytes } from '#shared/units'

/** What is said, and allowed, otherwise in the client than on the website. Whoever says one of these says it from here. */
export interface Words {
  /** Of a file on its way to where it is processed. */
  readonly waiting: string
  readonly submitting: string
  readonly expired: string
  /** What becomes of files; without a stop, and what is added to it where files can be removed. */
  readonly stay: string
  readonly removal: { readonly offer: string; readonly button: string; readonly none: string } | undefined
  readonly removeTitle: string
  readonly offline: (isMember: boolean) => string
  readonly guestFailed: string
  /** Of an editor whose files are gone. */
  readonly partsGone: string
  readonly sourceGone: string
  readonly preview: { readonly tooLarge: string; readonly failed: string; readonly whole: string; readonly more: string }
  readonly savedText: string
  /** What a control says of itself on hover. */
  readonly tips: Partial<Record<'open-files' | 'open-folder' | 'start' | 'cancel-all' | 'clear', string>>
  readonly failures: { readonly [C in ErrorCode]?: (data: ErrorData<C>) => string }
  readonly maxFile: { readonly bytes: number; readonly text: string }
}

/** The website's words. */
export const onSite: Words = {
  waiting: '等待上传',
  submitting: '正在提交…',
  expired: '文件已过期并删除，请重新上传',
  stay: '文件 2 小时后自动删除',
  removal: { offer: '，也可', button: '立即删除', none: '，移除后立即删除' },
  removeTitle: '移除并删除文件',
  offline: () => '网络已断开，恢复后自动继续',
  guestFailed: '游客身份获取失败，正在重试…',
  partsGone: '已过期并删除',
  sourceGone: '请重新上传图片',
  preview: {
    tooLarge: '文件较大，请下载后查看。',
    failed: '预览没有打开，不影响下载。',
    whole: '预览为简化显示，版式以下载的文件为准',
    more: '请下载后查看',
  },
  savedText: '已保存到下载文件夹',
  tips: {},
  // It is no disk of theirs.
  failures: { 'storage.full': () => '服务器存储空间不足，请稍后重试。' },
  maxFile: { bytes: MAX_FILE_BYTES, text: formatBytes(MAX_FILE_BYTES) },
}

/** The words of where the page runs. */
export let words: Words = onSite

/** Has the page speak otherwise from here on: before it is first shown. */
export const speak = (others: Words): void => void (words = others)

/** The Chinese sentence for a failure, as it is said where the page runs. */
export function messageOf(error: WireError): string {
  const { [error.code]: own } = words.failures as Readonly<Partial<Record<ErrorCode, (data: typeof error.data) => string>>> // each code's text takes that code's data, which WireError pairs
  return own?.(error.data) ?? toldOnSite(error)
}
