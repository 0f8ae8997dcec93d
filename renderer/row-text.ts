import type { Status } from './state/rows.ts'
import { messageOf, words } from './words.ts'
import type { WireError } from '#shared/errors/app-error'
import { splitName } from '#shared/names'
import type { ToolId } from '#shared/tools/index'
import { formatBytes } from '#shared/units'

/** A row's state in words, and the colour of its chip. */
export interface StatusText {
  readonly text: string
  readonly tone: 'ok' | 'info' | 'warn' | 'bad' | 'idle'
  /** Shown on hover and to screen readers where the text is shortened. */
  readonly hint?: string
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)}%`

const KEPT_WIDTH = 8

/** The end of a file name that stays in sight where the name is shortened: about eight letters, or half as many characters, and the extension. */
export function tailOf(name: string): string {
  const { stem } = splitName(name)
  let kept = stem.length
  let width = 0
  for (const character of [...stem].toReversed()) {
    width += character > '\u2e7f' ? 2 : 1
    if (width > KEPT_WIDTH) break
    kept -= character.length
  }
  return name.slice(kept)
}

const speedText = (bytesPerSecond: number | undefined): string =>
  bytesPerSecond === undefined ? '' : ` · ${formatBytes(Math.round(bytesPerSecond))}/s`

/** The words for where a row stands; `tool` lets them be its own, and `trouble` is what it would fail with if it were started as it is. */
export function statusText(status: Status, tool?: ToolId, trouble?: WireError): StatusText {
  switch (status.at) {
    case 'ready':
      return trouble ? { text: messageOf(trouble), tone: 'warn', hint: messageOf(trouble) } : { text: '待处理', tone: 'idle' }
    case 'waiting':
      return { text: words.waiting, tone: 'idle' }
    case 'uploading':
      return {
        text: status.fraction > 0 ? `上传中 ${percent(status.fraction)}${speedText(status.bytesPerSecond)}` : '上传中…',
        tone: 'idle',
      }
    case 'paused':
      return { text: '网络已断开，恢复后继续', tone: 'warn' }
    case 'submitting':
      return { text: status.isBusy ? '当前使用人数较多，有空位后自动提交' : words.submitting, tone: 'idle' }
    case 'queued':
      return { text: status.ahead > 0 ? `排队中，前面还有 ${status.ahead} 个` : '排队中，马上开始', tone: 'idle' }
    case 'running':
      return { text: status.step ?? '处理中…', tone: 'idle' }
    case 'done':
      return doneText(status, tool)
    case 'failed':
      return { text: messageOf(status.error), tone: 'bad', hint: messageOf(status.error) }
    case 'cancelled':
      return { text: '已取消', tone: 'idle' }
    case 'expired':
      return { text: words.expired, tone: 'idle' }
  }
}

/** What a picture's proportions were guessed by. */
const guessedHints = {
  face: '比例按人脸估计，可能有几个百分点的出入，可打开“调整比例”微调。',
  file: '比例按文件记录的原始尺寸估计，如不合适，可打开“调整比例”微调。',
  traces: '比例按缩放留下的痕迹估计，如不合适，可打开“调整比例”微调。',
} as const

function doneText({ note, outputs }: Extract<Status, { at: 'done' }>, tool: ToolId | undefined): StatusText {
  switch (note?.kind) {
    case 'unchanged':
      return { text: (tool && unchangedTexts[tool]) ?? '已是最优，保留原图', tone: 'info' }
    case 'missed': {
      const { targetBytes, bestBytes } = note
      return {
        text: `未达到目标，最小 ${formatBytes(bestBytes)}`,
        tone: 'warn',
        hint: messageOf({ code: 'target.missed', data: { targetBytes, bestBytes } }),
      }
    }
    case 'shrunk':
      return {
        text: `已完成 · 缩至 ${note.width}×${note.height}`,
        tone: 'ok',
        hint: '目标较小，已缩小宽高以保证清晰。要保持原宽高，请打开“保持像素尺寸”。',
      }
    case 'enlarged':
      return { text: `已完成 · 放大 ${note.times} 倍`, tone: 'warn', hint: '原图较小，放大后可能不够清晰，建议换一张更大的照片。' }
    case 'unsure':
      return {
        text: '已完成 · 请检查边缘',
        tone: 'warn',
        hint: tool === 'id-photo' ? '人物与背景不易分清，建议换一张背景简单的照片。' : '主体不够清晰，可打开“修边”用画笔修整，不另计次数。',
      }
    case 'no-face':
      return { text: '未检测到人脸，已居中裁剪', tone: 'warn', hint: '可打开“标出头部”手动标出，或换一张正面免冠照片。' }
    case 'in-colour':
      return { text: '已完成 · 原图是彩色，已重新上色', tone: 'warn', hint: '已先转为黑白再上色；只调整原有颜色请用“色彩增强”。' }
    case 'plain':
      return { text: '已完成 · 普通放大', tone: 'ok', hint: '图片较大，已用普通方式放大并锐化，未使用 AI。' }
    case 'no-stretch':
      return { text: '未发现变形，保留原图', tone: 'info', hint: '没有找到可判断变形的人脸、圆形或拍摄信息，可打开“调整比例”手动设置。' }
    case 'guessed':
      return { text: '已完成 · 比例为估计', tone: 'warn', hint: guessedHints[note.by ?? 'face'] }
    case 'no-table':
      return { text: '未找到表格，已按页导出文字', tone: 'info', hint: '文件中没有找到表格，每页文字各放在一张工作表里。' }
    case 'scanned':
      return {
        text: '已完成 · 扫描页为图片',
        tone: 'warn',
        hint: '该 PDF 为扫描件，文字以图片形式保留；要编辑文字，建议使用“PDF转Word（OCR）”。',
      }
    case 'text-layer':
      return {
        text: '已完成 · 扫描件自带文字',
        tone: 'warn',
        hint: '这是扫描件，已用 PDF 自带的文字；如有错漏，请改用“PDF转Word（OCR）”。',
      }
    case 'stripped':
      return { text: '已完成 · 去除拍摄信息', tone: 'ok', hint: '结果里放不下拍摄信息，已去除。' }
    case 'adjusted':
      return { text: '已完成 · 裁剪区域已调整', tone: 'ok', hint: '裁剪区域超出图片范围，已为您自动调整。' }
    case undefined:
      if (tool === 'colourize') return { text: '已完成 · 辅助上色', tone: 'ok' }
      // The parts of a zip are no one file's.
      return { text: outputs.length > 1 && outputs[0].format !== 'zip' ? `已完成 · 共 ${outputs.length} 个文件` : '已完成', tone: 'ok' }
  }
}

/** What is said of a picture that an effect finds nothing to do for, as short as a chip is. */
export const unchangedTexts: Readonly<Partial<Record<ToolId, string>>> = {
  sharpen: '图片已经清晰，无需处理',
  'repair-jpeg': '没有压缩痕迹，无需处理',
  unstretch: '比例正常，无需处理',
  'enhance-contrast': '明暗已经合适，无需处理',
  'enhance-colour': '颜色已经自然，无需处理',
  dehaze: '没有雾气，无需处理',
  denoise: '没有明显噪点，无需处理',
  'remove-moire': '没有条纹，无需处理',
  colourize: '尚未上色，请用画笔涂色',
}
