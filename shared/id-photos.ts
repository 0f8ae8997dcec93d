/** Where the head belongs in an ID photo; every figure is a part of the photo's height. */
export interface HeadPlace {
  /** From crown (hair included) to chin. */
  readonly height: number
  /** The most that may be, where the rule says so. */
  readonly tallest?: number
  /** The room above the crown. */
  readonly above: number
  /** How high the eyes may lie, counted from the lower edge, where the rule says so. */
  readonly eyes?: readonly [lowest: number, highest: number]
}

/** A kind of ID photo: what its office or exam site asks for. The file is a JPEG in all of them. */
export interface IdPhoto {
  readonly name: string
  readonly widthPx: number
  readonly heightPx: number
  readonly dpi: number
  /** Width and height on paper; none where only pixels are prescribed. */
  readonly mm?: readonly [width: number, height: number]
  /** The smallest and largest file accepted, in KB as the site counts them (see `byteWindow`). */
  readonly minKb?: number
  readonly maxKb?: number
  readonly head: HeadPlace
  /** Where the figures come from (来源). Rules change every year and places differ: 以官网为准. */
  readonly source: string
  /** The day the entry was last held against its source (更新日期). */
  readonly updatedOn: string
}

const updatedOn = '2026-11-21'
const HIVISION = 'HivisionIDPhotos 尺寸表'
/** 头部占照片尺寸的 2/3, as most Chinese offices put it; a tenth of the height above (college English tests' rule). */
const usual: HeadPlace = { height: 2 / 3, above: 0.1 }
/** GA 461-2004 at 441 px: head 207 ± 14 px wide, crown 7–21 px below the upper edge, eyes at least 207 px above the lower one. */
const idCard: HeadPlace = { height: 2 / 3, tallest: (2 / 3) * (221 / 207), above: 14 / 441, eyes: [207 / 441, 1] }
const oneInch = { widthPx: 295, heightPx: 413, dpi: 300, mm: [25, 35], head: usual, updatedOn } as const
const largeOneInch = { widthPx: 390, heightPx: 567, dpi: 300, mm: [33, 48], head: usual, updatedOn } as const
const smallTwoInch = { widthPx: 413, heightPx: 531, dpi: 300, mm: [35, 45], head: usual, updatedOn } as const
const card = { widthPx: 358, heightPx: 441, dpi: 350, mm: [26, 32], head: idCard, updatedOn } as const

/** Every preset by its id. Ids are in scripts and remembered settings: they are added, never renamed or removed. */
export const idPhotos = {
  'one-inch': { ...oneInch, name: '一寸', source: HIVISION },
  'small-one-inch': {
    name: '小一寸',
    widthPx: 260,
    heightPx: 378,
    dpi: 300,
    mm: [22, 32],
    head: usual,
    source: HIVISION,
    updatedOn,
  },
  'large-one-inch': { ...largeOneInch, name: '大一寸', source: HIVISION },
  'two-inch': { name: '二寸', widthPx: 413, heightPx: 626, dpi: 300, mm: [35, 53], head: usual, source: HIVISION, updatedOn },
  'two-inch-lab': {
    name: '二寸（照相馆）',
    widthPx: 413,
    heightPx: 579,
    dpi: 300,
    mm: [35, 49],
    head: usual,
    source: '照相馆常用尺寸',
    updatedOn,
  },
  'small-two-inch': { ...smallTwoInch, name: '小二寸', source: HIVISION },
  'five-inch': { name: '五寸', widthPx: 1050, heightPx: 1499, dpi: 300, mm: [88.9, 127], head: usual, source: HIVISION, updatedOn },
  'id-card': { ...card, name: '身份证', minKb: 14, maxKb: 20, source: 'GA 461-2004 居民身份证制证用数字相片技术要求' },
  'residence-permit': { ...card, name: '居住证', minKb: 14, maxKb: 30, source: '各地居住证相片要求（按 GA 461-2004）' },
  'social-security-card': { ...card, name: '社保卡', source: HIVISION },
  'driving-licence': {
    name: '驾驶证',
    widthPx: 260,
    heightPx: 378,
    dpi: 300,
    mm: [22, 32],
    head: usual,
    source: `${HIVISION}（电子驾驶证）`,
    updatedOn,
  },
  passport: {
    ...largeOneInch,
    name: '护照、通行证',
    minKb: 30,
    maxKb: 80,
    // Crown to chin 28–33 mm, 3–5 mm above it, of 48 mm.
    head: { height: 30.5 / 48, tallest: 33 / 48, above: 4 / 48 },
    source: '驻外使领馆护照照片要求（宽 33 mm、高 48 mm）',
  },
  'postgraduate-exam': {
    name: '研究生考试',
    widthPx: 531,
    heightPx: 709,
    dpi: 300,
    mm: [45, 60],
    minKb: 20,
    maxKb: 100,
    // Eyes 30–50 % below the upper edge.
    head: { ...usual, eyes: [0.5, 0.7] },
    source: `${HIVISION}；考研网上确认照片要求（宽高比 3:4）`,
    updatedOn,
  },
  'computer-rank-exam': { ...largeOneInch, name: '计算机等级考试', minKb: 20, maxKb: 200, source: `${HIVISION}；考点报名通知` },
  'college-english-test': {
    name: '英语四六级',
    widthPx: 144,
    heightPx: 192,
    dpi: 300,
    minKb: 100,
    maxKb: 200,
    head: { height: 0.7, above: 0.1 },
    source: '高校报名通知（只规定像素，各校不同）',
    updatedOn,
  },
  'civil-service-exam': { ...oneInch, name: '公务员考试', minKb: 30, maxKb: 100, source: `${HIVISION}；国考报名确认照片要求` },
  'junior-accountant': { ...oneInch, name: '初级会计', minKb: 10, source: '会计人员报名照片要求（大于 10 KB，不小于 295×413）' },
  'teacher-certificate': { ...oneInch, name: '教师资格认定', minKb: 50, maxKb: 190, source: `${HIVISION}；2024 年报名照片要求` },
  'teacher-exam': {
    name: '教师资格考试',
    widthPx: 300,
    heightPx: 400,
    dpi: 300,
    minKb: 50,
    maxKb: 190,
    head: usual,
    source: '2024 年报名照片要求（只规定像素，宽高比 3:4）',
    updatedOn,
  },
  'nurse-exam': { ...largeOneInch, name: '护士资格考试', minKb: 20, maxKb: 45, source: '2024 年护士执业资格考试照片要求' },
  'constructor-exam': { ...oneInch, name: '一级建造师', minKb: 10, maxKb: 50, source: '人事考试报名照片审核要求' },
  'us-visa': {
    name: '美国签证',
    widthPx: 600,
    heightPx: 600,
    dpi: 300,
    mm: [50.8, 50.8],
    maxKb: 240,
    // Head 25–35 mm, eyes 28–35 mm above the lower edge, of 50.8 mm.
    head: { height: 30 / 50.8, tallest: 35 / 50.8, above: 0.085, eyes: [28 / 50.8, 35 / 50.8] },
    source: '美国国务院签证照片要求',
    updatedOn,
  },
  'japan-visa': { ...oneInch, name: '日本签证', source: HIVISION },
  'japan-visa-square': {
    name: '日本签证（45×45 mm）',
    widthPx: 531,
    heightPx: 531,
    dpi: 300,
    mm: [45, 45],
    head: usual,
    source: '旅行社日本签证照片要求',
    updatedOn,
  },
  'korea-visa': { ...smallTwoInch, name: '韩国签证', source: HIVISION },
  // Face 32–36 mm of 45 mm.
  'schengen-visa': {
    ...smallTwoInch,
    name: '申根签证',
    head: { height: 34 / 45, tallest: 36 / 45, above: 0.08 },
    source: '申根签证照片要求（ICAO，35×45 mm）',
  },
} as const satisfies Readonly<Record<string, IdPhoto>>

/** A preset by its name in scripts and settings. */
export type IdPhotoId = keyof typeof idPhotos

/** Where the head goes in a photo of no particular kind. */
export const usualHead: HeadPlace = usual

/** The preset of an id; undefined for a word that names none. */
export const idPhotoOf = (id: string): IdPhoto | undefined => (Object.hasOwn(idPhotos, id) ? idPhotos[id as IdPhotoId] : undefined) // hasOwn has just said that it is one

/** How many bytes a file may have. */
export interface ByteWindow {
  readonly minBytes: number
  /** Undefined where there is no largest size. */
  readonly limitBytes: number | undefined
}

/**
 * The bytes a photo must have so that no site refuses it: some count 1000 bytes to a KB, some 1024, so the largest size is
 * taken by the first and the smallest by the second. What a person asks for goes before the preset, whose other end gives way.
 */
export function byteWindow(preset: Pick<IdPhoto, 'minKb' | 'maxKb'>, asked: Pick<IdPhoto, 'minKb' | 'maxKb'>): ByteWindow {
  const { minKb, maxKb } = asked
  const most = maxKb ?? (minKb !== undefined && minKb > (preset.maxKb ?? minKb) ? undefined : preset.maxKb)
  const least = minKb ?? ((preset.minKb ?? 0) > (most ?? Infinity) ? 0 : (preset.minKb ?? 0))
  if (most === undefined) return { minBytes: Math.ceil(least * 1024), limitBytes: undefined }
  const limitBytes = Math.floor(most * 1000)
  const strictest = Math.ceil(least * 1024)
  return { limitBytes, minBytes: strictest <= limitBytes ? strictest : Math.min(limitBytes, Math.ceil(least * 1000)) }
}
