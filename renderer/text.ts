import { messageOf } from './words.ts'
import { toWire } from '#shared/errors/app-error'
import type { Cost } from '#shared/tools/define'
import type { FormatId } from '#shared/formats'
import type { ToolId } from '#shared/tools/index'

/** How much smaller a result is, as people say it; nothing below one percent. */
export function savedPercent(before: number, after: number): string {
  const saved = before > 0 ? 1 - after / before : 0
  return saved >= 0.01 ? `${Math.min(99, Math.round(saved * 100))}%` : ''
}

/** Why something a person asked for was not done, where no file is concerned. */
export function failureText(error: unknown): string {
  const failure = toWire(error)
  if (failure.code === 'network.offline') return '网络连接不稳定，请检查网络后重试。'
  if (failure.code === 'internal') return '操作没有完成，请稍后重试。'
  return messageOf(failure)
}

/** What is left to do on a page: an endless lot where it costs nothing or was bought for ever. A blank line until it is known. */
export function leftText(left: number | undefined, isMember: boolean, cost: Cost): string {
  if (left === undefined) return '\u00a0'
  if (left === Infinity) return isMember ? '会员不限次数。' : '此功能免费，不计次数。'
  return isMember ? `剩余 ${left} 次。` : `今日${cost === 'ai' ? ' AI ' : ''}免费次数还剩 ${left} 次。`
}

/** What a tool's page says beside its title where a model makes up what is seen, and why. */
export const aiBadges: Readonly<Partial<Record<ToolId, { readonly text: string; readonly hint: string }>>> = {
  colourize: { text: 'AI上色（辅助）', hint: '颜色由 AI 推测，不一定是当时的真实颜色，可用画笔修正。结果文件带有 AI 处理标记。' },
  upscale: { text: 'AI 放大', hint: '细节由 AI 补全，与实物可能有出入。结果文件带有 AI 处理标记。' },
}

/** What a page's files are called. */
export function thingOf(accepts: readonly FormatId[] | 'any'): string {
  if (accepts === 'any') return '文件'
  if (!accepts.includes('pdf')) return '图片'
  return accepts.length === 1 ? ' PDF ' : '文件'
}

/** One line under each page's title. */
export const purposes: Readonly<Record<string, string>> = {
  '/': '结果绝不超过设定大小，画质尽量保留。',
  '/sizemb': '按 MB 设定上限，结果绝不超过。',
  '/all': '按质量压缩，数值越小文件越小，各种格式通用。',
  '/png': '保留透明背景，压到指定大小以内。',
  '/jpg': '照片压到指定大小以内，方向不变。',
  '/jpeg': '照片压到指定大小以内，方向不变。',
  '/zip': '文件和文件夹打成一个压缩包，中文名不乱码。',
  '/doc': '按报名网站的要求裁到准确尺寸，大小落在规定范围内。各地要求以官网为准。',
  '/docsize': '改成一寸、二寸等准确尺寸，也可排版打印。各地要求以官网为准。',
  '/webp': 'WebP 图片和动图压到指定大小以内。',
  '/convert/all': '把图片转成需要的格式，透明、动画和方向都保持正确。',
  '/convert/avif': '图片转成 AVIF，体积更小；已是 AVIF 的转为 JPG。',
  '/convert/heic': '图片转成苹果的 HEIC；已是 HEIC 的转为 JPG。',
  '/convert/heictojpg': '苹果手机的 HEIC 照片转成到处都能打开的 JPG。',
  '/convert/imgtoico': '图片做成网站和程序用的 ICO 图标。',
  '/convert/tifftojpg': 'TIFF 转成 JPG，多页的每页一张。',
  '/convert/pngtojpg': 'PNG 转成 JPG，透明处填上选定的颜色。',
  '/convert/webptojpg': '网页上的 WebP 图片转成 JPG。',
  '/convert/bmptojpg': 'BMP 位图转成体积小得多的 JPG。',
  '/convert/imgtopng': '各种图片转成无损的 PNG，保留透明。',
  '/convert/imgtojpg': '各种图片转成 JPG。',
  '/convert/imgtobmp': '各种图片转成 BMP 位图。',
  '/convert/imgtowebp': '各种图片转成 WebP，动图保持动画。',
  '/convert/hundred': '一百多种图片格式互相转换。',
  '/px': '先改宽高，再按需限制文件大小，结果不超过设定。',
  '/wiheight': '一键改为 4K、1080p 或照片冲印尺寸。',
  '/edit/size': '按百分比、长边或宽高改变图片大小。',
  '/edit/crop': '裁剪、旋转、翻转、拉直，也可裁成圆形。',
  '/edit/px': '结果正好是填写的宽和高。',
  '/dpi': '只修改打印分辨率，像素和画质完全不变。',
  '/matting/person': '头发边缘自然，换上白、蓝、红底或任意背景。',
  '/matting/goods': '商品抠出，换纯色或图片背景，可加阴影。',
  '/matting/general': '人、动物、物品都能抠出，换上任意背景。',
  '/transparent/general': '去掉背景，得到透明底图片，边缘不发白。',
  '/transparent/person': '去掉人像背景，头发边缘干净。',
  '/transparent/goods': '去掉商品背景，可裁到主体。',
  '/effect/iblack': '给黑白老照片上色，可用画笔或参考照片修正颜色。',
  '/effect/idefinition': '让模糊的照片变清晰，不起白边。',
  '/effect/iamplify': '放大 2 到 4 倍，边缘和细节保持清楚。',
  '/effect/icompress': '去掉压缩造成的方块和毛边，恢复干净画面。',
  '/effect/istretch': '被拉宽、拉长的照片恢复正常比例。',
  '/effect/icontrast': '让灰蒙蒙的照片明暗分明，亮部暗部不丢细节。',
  '/effect/icolor': '纠正偏色，让颜色更鲜明，肤色保持自然。',
  '/effect/idehaze': '去掉雾气和灰霾，天空保持干净。',
  '/effect/idenoise': '去掉暗光照片的噪点，细节尽量保留。',
  '/effect/imoire': '去掉翻拍屏幕时的条纹和彩纹。',
  '/effect/idocrepaire': '拍下的文件变成扫描件：拉正、去阴影、文字清楚。',
  '/pdf/toword': '转成可编辑的 Word，文字、表格、图片和版式与原文一致。',
  '/pdf/ocr': '识别扫描件和拍照页面里的文字与表格，转成可编辑的 Word。',
  '/pdf/toexcel': '表格变成可编辑的 Excel，数字、日期和合并单元格都保留。',
  '/pdf/toppt': '每页变成一张幻灯片，文字、表格和图片都能编辑。',
  '/pdf/toofd': '转成国标 OFD，版式和字体不变，文字可以选中和搜索。',
  '/pdf/totxt': '提取 PDF 里的文字，按阅读顺序排好，表格按列分开。',
  '/gif': '动图压到指定大小以内，总时长和循环不变。',
}
