import type { Words } from '../words.ts'
import { MAX_LOCAL_BYTES } from '#shared/desktop'
import { formatBytes } from '#shared/units'

const GIGABYTE = 1024 ** 3

const sizeText = (bytes: number): string => (bytes < GIGABYTE ? formatBytes(bytes) : `${bytes / GIGABYTE} GB`)

/** What the client says: files stay where they are, so nothing is uploaded, nothing downloaded, and nothing of anybody's is deleted. */
export const inClient: Words = {
  waiting: '等待处理',
  submitting: '等待处理',
  expired: '结果已不在列表中，请重新处理',
  stay: '文件只在本机处理，不会离开这台电脑',
  removal: undefined,
  removeTitle: '从列表移除（不删除文件）',
  offline: (isMember) =>
    isMember ? '网络已断开，处理不受影响；登录、开通会员等需要联网' : '网络已断开，联网后才能处理文件；会员断网 7 天内也可使用',
  guestFailed: '暂时连接不上轻图，正在重试…',
  partsGone: '已不在本机',
  sourceGone: '请重新添加图片',
  preview: {
    tooLarge: '文件较大，请打开文件查看。',
    failed: '预览没有打开，不影响结果文件。',
    whole: '预览为简化显示，版式以结果文件为准',
    more: '请打开文件查看',
  },
  savedText: '已保存',
  tips: {
    'open-files': 'Ctrl+O',
    'open-folder': 'Ctrl+Shift+O',
    start: 'Ctrl+Enter',
    clear: '清空列表（不删除文件）',
  },
  failures: {
    'options.background-lost': ({ label }) => `${label ?? '背景图片'}已被移动或删除，请重新选择。`,
    'file.missing': () => '找不到该文件，可能已被移动、改名或删除，请重新添加。',
    'file.too-large': ({ limitBytes }) => `文件超过 ${sizeText(limitBytes)}，请先拆分或缩小后再处理。`,
    'file.unsupported': ({ formats }) => `不支持该文件类型，请选择 ${formats}。`,
    'pdf.too-many-pages': ({ maxPages }) => `PDF 页数过多，最多支持 ${maxPages} 页，请拆分后再处理。`,
    'result.expired': () => '结果已被移动或删除，请重新处理。',
    'job.not-found': () => '找不到该任务，请重新处理。',
    'upload.missing': () => '找不到原文件，可能已被移动或删除，请重新添加。',
    'face.not-found': () => '未检测到人脸，请换一张正面免冠照片。',
    'storage.full': () => '磁盘空间不足，请清理磁盘或换一个保存位置后重试。',
    'network.offline': () => '网络连接不稳定，请检查网络后重试。',
    'request.refused': () => '操作没有完成，请重试。',
  },
  maxFile: { bytes: MAX_LOCAL_BYTES, text: sizeText(MAX_LOCAL_BYTES) },
}
