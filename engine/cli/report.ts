import { basename, extname } from 'node:path'
import type { Note } from '../processor.ts'
import { messageOf, type WireError } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'
import { formats, hasExtension, type FormatId } from '#shared/formats'
import { formatBytes } from '#shared/units'

/** A result as it lies on disk. */
export interface PlacedFile {
  readonly path: string
  readonly format: FormatId
  readonly bytes: number
  readonly width?: number
  readonly height?: number
}

/** What became of one file: the line `--json` prints. */
export interface FileReport {
  readonly input: string
  readonly outputs: readonly PlacedFile[]
  readonly note?: Note
  readonly error?: WireError
  readonly ms: number
}

const guessed = {
  face: '比例按人脸估计，可能有几个百分点的出入；可手动设置宽度',
  file: '比例按文件记录的原始尺寸估计，如不合适，可手动设置宽度',
  traces: '比例按缩放留下的痕迹估计，如不合适，可手动设置宽度',
} as const

const noteText = (note: Note): string => {
  switch (note.kind) {
    case 'unchanged':
      return '已是最优，保留原图'
    case 'missed':
      return `未达到目标：${messageOf({ code: 'target.missed', data: note })}`
    case 'stripped':
      return '拍摄信息超过目标大小的一半，已去掉'
    case 'adjusted':
      return '裁剪区域超出图片范围，已为您自动调整'
    case 'enlarged':
      return `原图较小，放大了 ${note.times} 倍`
    case 'unsure':
      return '主体不够清晰，请检查边缘'
    case 'no-face':
      return '未检测到人脸，已居中裁剪'
    case 'in-colour':
      return '原图是彩色，已先转为黑白再上色'
    case 'plain':
      return '图片较大，已用普通方式放大，未使用 AI'
    case 'no-stretch':
      return '未发现变形，保留原图；可手动设置宽度'
    case 'guessed':
      return guessed[note.by ?? 'face']
    case 'no-table':
      return '未找到表格，已按页导出文字'
    case 'scanned':
      return '该 PDF 为扫描件，文字以图片形式保留'
    case 'text-layer':
      return '这是扫描件，已用 PDF 自带的文字；如有错漏，请改用 PDF转Word（OCR）'
    case 'shrunk':
      return `尺寸缩小为 ${note.width}×${note.height}`
  }
}

/** Says so when a file is not what its name claims. */
const retypedText = (input: string, { format }: PlacedFile): string =>
  hasExtension(format, extname(input).slice(1)) ? '' : `（内容是 ${formats[format].label}，已按 ${formats[format].label} 处理）`

/** A name as one line of plain text: a file may be called anything, escape sequences included. */
const plainName = (path: string): string => basename(path).replace(/\p{Cc}/gu, '�')

/** What a tool is for: whether it keeps a file's format or gives it another, and whether people use it to save bytes. */
interface Way {
  readonly keepsFormat: boolean
  readonly savesBytes: boolean
}

/** One line for a person: what came of a file. */
export function reportLine(report: FileReport, sourceBytes: number, { keepsFormat, savesBytes }: Way): string {
  const { input, outputs, note, error } = report
  if (error) return `✗ ${plainName(input)}：${messageOf(error)}（${errorTexts[error.code].label}）`
  const lines = outputs.map((output) => {
    const saved = savesBytes && sourceBytes > output.bytes ? ` 省 ${Math.round((1 - output.bytes / sourceBytes) * 100)}%` : ''
    const size = `${formatBytes(sourceBytes)} → ${formatBytes(output.bytes)}${saved}`
    return `✓ ${plainName(input)} → ${output.path}：${size}${note ? `，${noteText(note)}` : ''}${keepsFormat ? retypedText(input, output) : ''}`
  })
  return lines.join('\n')
}

/** A progress bar of a given width: `[██████····] 6/10`. */
export function progressBar(done: number, total: number, width = 30): string {
  const filled = Math.round((done / Math.max(1, total)) * width)
  return `[${'█'.repeat(filled)}${'·'.repeat(width - filled)}] ${Math.floor(done)}/${total}`
}
