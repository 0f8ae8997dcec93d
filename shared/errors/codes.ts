import type { DeviceView } from '#shared/api/devices'
import { formatBytes, megapixels, waitText } from '#shared/units'

/** One failure a person can see: the label support asks for, the HTTP status, and the words (what happened, what to do). */
interface ErrorText<D> {
  readonly label: string
  readonly status: number
  readonly text: (data: D) => string
}

const error = <D = Record<never, never>>(label: string, status: number, text: (data: D) => string): ErrorText<D> => ({
  label,
  status,
  text,
})

/** A picture beyond the limits: its pixels, or where only its sides are too long, those; whether it is one that would be made. */
interface TooLarge {
  readonly pixels: number
  readonly maxPixels: number
  readonly sides?: { readonly width: number; readonly height: number; readonly maxPx: number }
  readonly isResult?: boolean
}

/** What the second file of a job is called, where it is no background. */
interface SecondFile {
  readonly label?: string
}

/** Every failure a person can see. Codes are the wire's; they are never renamed or removed. */
export const errorTexts = {
  'options.invalid': error('E100', 400, ({ label }: { label: string }) => `“${label}”填写有误，请检查后重试。`),
  'options.out-of-range': error(
    'E101',
    400,
    ({ label, min, max, unit }: { label: string; min: number; max: number; unit: string }) =>
      `“${label}”请输入 ${min}–${max}${unit} 之间的数字。`,
  ),
  'options.target-not-positive': error('E102', 400, () => '目标大小请输入大于 0 的数字。'),
  'options.range-reversed': error('E105', 400, () => '最小大小不能超过目标大小，请调整后重试。'),
  'options.size-twice': error('E106', 400, () => '宽高、百分比、长边只能选一种方式，请保留一种后重试。'),
  'options.size-missing': error('E107', 400, () => '请至少填写宽度、高度、百分比或长边中的一项。'),
  'crop.outside': error('E108', 422, () => '裁剪区域完全在图片之外，请重新选择。'),
  'options.side-missing': error('E120', 400, () => '请填写宽度或高度，或选择一种证件照规格。'),
  'options.head-marks': error('E121', 400, () => '头顶、眼睛、下巴的位置有误，请由上到下依次标出。'),
  'options.head-outside': error('E122', 422, () => '标出的头部超出图片或画面，请重新标出头部，或换一张头部完整的照片。'),
  'options.jpeg-transparent': error('E125', 400, () => 'JPG 不支持透明背景，请改用 PNG 或 WebP，或选择一种背景。'),
  'options.page-range': error('E129', 422, () => '页码范围有误，请按“1-3,7”的格式填写，且不超过总页数。'),
  'options.background-missing': error('E126', 400, ({ label }: SecondFile) => `请选择一张${label ?? '背景图片'}。`),
  'options.background-lost': error('E127', 404, ({ label }: SecondFile) => `${label ?? '背景图片'}未上传完成或已过期，请重新选择。`),
  'options.background-unreadable': error(
    'E128',
    422,
    ({ label }: SecondFile) => `${label ?? '背景图片'}已损坏、过大或格式不支持，请换一张图片。`,
  ),
  'options.sheet-too-small': error('E123', 422, () => '照片大于所选相纸，请换更大的相纸或更小的尺寸。'),
  'options.file-name': error(
    'E124',
    400,
    () => '文件名不能含有 \\ / : * ? " < > |，花括号里只能写 name、n、width、height、date，最多 60 个字。',
  ),
  'file.too-large': error(
    'E201',
    413,
    ({ limitBytes }: { limitBytes: number }) => `文件超过 ${formatBytes(limitBytes)}，请压缩后再上传，或使用客户端在本机处理。`,
  ),
  'file.unsupported': error('E202', 415, ({ formats }: { formats: string }) => `不支持该文件类型，请上传 ${formats}。`),
  'file.empty': error('E203', 422, () => '这是一个空文件，请检查后重新选择。'),
  'file.unreadable': error('E204', 422, () => '文件已损坏或不完整，无法读取。请用其他软件打开确认后重试。'),
  'file.unusual-encoding': error('E205', 422, () => '该图片使用了特殊编码，暂不支持。可先另存为常见的 JPG 或 PNG。'),
  'pdf.password': error('E210', 422, () => '该 PDF 有打开密码，请输入密码后继续。'),
  'pdf.wrong-password': error('E215', 422, () => '密码不正确，请重新输入该 PDF 的打开密码。'),
  'pdf.restricted': error('E211', 422, () => '该 PDF 的作者限制了内容导出，无法转换。如有权限密码，请填入“打开密码”后重试。'),
  'pdf.page-too-large': error(
    'E216',
    422,
    ({ page }: { page: number }) => `第 ${page} 页的页面尺寸过大，无法转换，请在“页码范围”中去掉该页后重试。`,
  ),
  'pdf.too-many-pages': error('E304', 413, ({ maxPages }: { maxPages: number }) => `PDF 页数过多，最多支持 ${maxPages} 页，请拆分后上传。`),
  'pdf.no-text': error('E505', 422, () => '该 PDF 为扫描件，没有可提取的文字，建议使用“PDF转Word（OCR）”。'),
  'file.animated': error('E212', 422, () => '这是一张动图，该格式处理后会丢失动画，已保留原图。请先转为 GIF 或 WebP 动图后重试。'),
  'file.too-small': error(
    'E206',
    422,
    ({ width, height }: { width: number; height: number }) => `图片太小，至少需要 ${width}×${height} 像素。请换一张更大的照片。`,
  ),
  'file.no-access': error('E213', 403, () => '没有读取该文件的权限，请检查后重试。'),
  'file.missing': error('E209', 404, () => '找不到该文件，请检查路径；文件夹请改为选择其中的文件。'),
  'image.too-many-pixels': error('E301', 422, ({ pixels, maxPixels, sides, isResult }: TooLarge) => {
    const [what, advice] = isResult === true ? ['结果图片', '，请选择较小的倍数或尺寸'] : ['图片', '']
    if (!sides) return `${what}像素过大（${megapixels(pixels)} 百万像素），最大支持 ${megapixels(maxPixels)} 百万像素${advice}。`
    return `${what}过长（${sides.width}×${sides.height} 像素），每边最多 ${sides.maxPx} 像素${advice || '，请先裁剪或缩小'}。`
  }),
  'image.too-many-frames': error('E302', 422, ({ maxFrames }: { maxFrames: number }) => `动图帧数过多，最多支持 ${maxFrames} 帧。`),
  'archive.entry-too-large': error(
    'E307',
    422,
    ({ name, limitBytes }: { name: string; limitBytes: number }) =>
      `“${name}”打包后超过 ${formatBytes(limitBytes)}，请调大每个压缩包的上限，或移除该文件。`,
  ),
  'job.failed': error('E401', 500, () => '处理失败，未扣除次数。请重试，仍失败请联系客服。'),
  'job.timed-out': error('E402', 503, () => '处理超时，未扣除次数。请缩小图片、减少页数，或稍后重试。'),
  'job.cancelled': error('E405', 499, () => '已取消，未扣除次数。'),
  'job.out-of-memory': error('E406', 422, () => '文件过大，处理所需内存超出上限，未扣除次数。请缩小图片或减少页数后重试。'),
  'job.busy': error('E403', 429, () => '当前使用人数较多，请稍后再试。'),
  'result.expired': error('E404', 410, () => '结果已过期并删除，请重新处理。'),
  'job.not-found': error('E407', 404, () => '找不到该任务，可能已被删除。'),
  'upload.missing': error('E214', 404, () => '文件未上传完成或已过期，请重新上传。'),
  'batch.too-many': error('E207', 400, ({ limit }: { limit: number }) => `一次最多添加 ${limit} 个文件，请分批处理。`),
  'tool.unavailable': error('E613', 404, () => '该功能暂不可用，请刷新页面后重试。'),
  'target.missed': error(
    'E501',
    422,
    ({ targetBytes, bestBytes }: { targetBytes: number; bestBytes: number }) =>
      `无法压缩到 ${formatBytes(targetBytes)}，最小可到 ${formatBytes(bestBytes)}。可关闭“保持像素尺寸”后重试。`,
  ),
  'format.side-limit': error(
    'E502',
    422,
    ({ format, maxSidePx }: { format: string; maxSidePx: number }) =>
      `${format} 格式单边最大 ${maxSidePx} 像素，请缩小尺寸或改用其他格式。`,
  ),
  'format.pixel-limit': error(
    'E508',
    422,
    ({ format, maxPixels }: { format: string; maxPixels: number }) =>
      `转为 ${format} 格式最大支持 ${megapixels(maxPixels)} 百万像素，请缩小图片或改用其他格式。`,
  ),
  'format.pages-differ': error('E509', 422, () => '各页尺寸不同，无法合为一个文件，请改为“仅第一页”或转为 PDF。'),
  'cutout.no-subject': error('E503', 422, () => '未识别到主体，请换一张主体清晰的图片，或使用画笔手动选取。'),
  'face.not-found': error('E504', 422, () => '未检测到人脸，请上传正面免冠照片。'),
  'effect.blank': error('E510', 422, () => '处理后画面一片空白，已保留原图且不扣次数，请调低强度、换一种效果或换一张图片。'),
  'colourize.reference-unreadable': error('E514', 422, () => '参考照片已损坏、过大或格式不支持，请换一张照片。'),
  'colourize.reference-grey': error('E515', 422, () => '参考照片几乎没有颜色，请换一张彩色照片。'),
  'colourize.model-missing': error('E516', 503, () => '上色模型未安装，请联系客服，或改用参考照片、画笔上色。'),
  'ocr.model-missing': error('E517', 503, () => '文字识别模型未安装，请联系客服。'),
  'ocr.no-text': error('E518', 422, () => '没有识别到文字，请换一份更清晰的文件。'),
  'scan.corners': error('E512', 422, () => '四个角没有围成一页，请重新调整四角。'),
  'model.missing': error('E614', 503, () => '抠图模型未安装，请联系客服。'),
  'format.no-density': error(
    'E506',
    422,
    ({ format }: { format: string }) => `该 ${format} 文件没有保存 DPI 的位置，请先转换为 JPG 或 PNG 格式，再设置 DPI。`,
  ),
  'storage.full': error('E601', 507, () => '存储空间不足，请清理磁盘后重试。'),
  'storage.read-only': error('E607', 403, () => '没有写入该文件夹的权限，请换一个保存位置。'),
  'place.refused': error('E615', 422, () => '该位置不能使用。网络位置请先映射为盘符，再重新选择文件或保存位置。'),
  'place.gone': error('E616', 410, () => '保存位置已不存在，请重新选择保存文件夹。'),
  'result.gone': error('E617', 410, () => '文件已被移动或删除，请重新处理。'),
  'offline.guest': error('E618', 503, () => '未连接网络。游客处理文件需要联网，开通会员后断网 7 天内也可使用。'),
  'offline.over': error('E619', 503, () => '断网可用的时间或次数已用完，请连接网络后继续。'),
  'storage.quota': error(
    'E608',
    413,
    ({ limitBytes }: { limitBytes: number }) => `您暂存的文件已超过 ${formatBytes(limitBytes)}，请下载并删除部分文件后再试。`,
  ),
  'service.unavailable': error('E602', 503, () => '服务暂时不可用，请稍后重试。'),
  'network.offline': error('E603', 503, () => '网络连接不稳定，上传已暂停，恢复后自动继续。'),
  'guest.failed': error('E605', 503, () => '游客身份获取失败，正在重试…'),
  'rate.limited': error('E604', 429, ({ seconds }: { seconds: number }) => `操作过于频繁，请 ${waitText(seconds)}后再试。`),
  'account.required': error('E701', 400, () => '请输入会员账号ID。'),
  'account.unknown': error('E702', 404, () => '账号ID不存在，请检查是否输入完整。'),
  'device.limit': error('E704', 409, (_data: { devices: readonly DeviceView[] }) => '该会员已在 2 台电脑登录，请选择一台退出后继续。'),
  'device.signed-out': error('E705', 401, () => '您的会员账号已在另一台电脑登录，本机已退出。'),
  'device.swaps': error('E707', 429, () => '近 7 天更换电脑次数过多，请联系客服处理。'),
  'ticket.over': error('E709', 410, () => '链接已失效，请重新打开。'),
  'wxlogin.failed': error('E708', 400, () => '微信登录未完成或已超时，请重新登录。'),
  'order.not-found': error('E706', 404, () => '订单不存在，请检查商户单号或商家订单号是否输入正确。'),
  'plan.unknown': error('E806', 400, () => '该套餐已下架，请刷新页面后重试。'),
  'payment.code-failed': error('E801', 502, () => '支付二维码加载失败，点击刷新。'),
  'payment.code-expired': error('E802', 410, () => '二维码已过期，点击刷新。'),
  'payment.notice-refused': error('E807', 400, () => '支付通知校验失败。'),
  'payment.unavailable': error('E808', 503, () => '暂未开通在线支付，请联系客服。'),
  'invoice.exists': error('E810', 409, () => '该订单已申请过开票，请勿重复提交。'),
  'operator.refused': error('E711', 401, () => '账号、密码或动态口令有误，请重新输入。'),
  'operator.weak-password': error(
    'E713',
    400,
    () => '新密码至少 15 个字符，其中至少 8 种不同的字符，不含账号名和“轻图”，不能与原密码相同，也不能是常见的或容易猜到的。',
  ),
  'operator.required': error('E712', 401, () => '请先登录运营账号。'),
  'session.expired': error('E703', 401, () => '登录状态已变化，请重试。'),
  'request.refused': error('E609', 403, () => '页面已过期，请刷新后重试。'),
  'request.invalid': error('E610', 400, () => '请求内容有误，请刷新页面后重试。'),
  'request.too-large': error('E611', 413, () => '请求内容过大，请分批提交。'),
  'address.unknown': error('E612', 404, () => '您访问的地址不存在，请检查链接是否完整。'),
  'quota.used-up': error('E805', 402, () => '次数已用完，开通会员后可继续使用。'),
  internal: error('E900', 500, () => '处理失败，未扣除次数。请重试，仍失败请联系客服。'),
} as const

/** A failure's name on the wire. */
export type ErrorCode = keyof typeof errorTexts
/** What the words of a failure need: sizes in bytes, sides in pixels. */
export type ErrorData<C extends ErrorCode> = Parameters<(typeof errorTexts)[C]['text']>[0]
