/** What the product knows of a file format: what to call it, what people look for it by, its usual extension first, and what is done with its pictures. */
interface Format {
  readonly label: string
  readonly about: string
  readonly group: FormatGroup
  readonly can?: 'read' | 'write' | 'both'
  readonly extensions: readonly [string, ...string[]]
  readonly mime: string
}

/** The families formats are listed by. */
export const formatGroups = {
  common: '常用图片',
  design: '设计与图标',
  camera: '相机原始照片',
  professional: '专业影像',
  classic: '早期与特殊格式',
  document: '文档',
} as const
/** A family of formats. */
export type FormatGroup = keyof typeof formatGroups

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

/** Every format some tool reads or writes. Files are told apart by their content; extensions only name results. */
export const formats = {
  jpeg: {
    label: 'JPG',
    about: '最常用的照片格式，体积小',
    group: 'common',
    can: 'both',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'mpo', 'jps'],
    mime: 'image/jpeg',
  },
  png: { label: 'PNG', about: '无损格式，支持透明', group: 'common', can: 'both', extensions: ['png', 'apng'], mime: 'image/png' },
  gif: { label: 'GIF', about: '动图格式，最多 256 色', group: 'common', can: 'both', extensions: ['gif'], mime: 'image/gif' },
  webp: { label: 'WebP', about: '网页图片，体积小，可透明', group: 'common', can: 'both', extensions: ['webp'], mime: 'image/webp' },
  avif: {
    label: 'AVIF',
    about: '新一代网页图片格式，体积更小',
    group: 'common',
    can: 'both',
    extensions: ['avif', 'avifs'],
    mime: 'image/avif',
  },
  heic: { label: 'HEIC', about: '苹果手机照片', group: 'common', can: 'both', extensions: ['heic', 'heif', 'hif'], mime: 'image/heic' },
  tiff: { label: 'TIFF', about: '印刷与扫描常用，可多页', group: 'common', can: 'both', extensions: ['tif', 'tiff'], mime: 'image/tiff' },
  bmp: { label: 'BMP', about: 'Windows 位图，不压缩', group: 'common', can: 'both', extensions: ['bmp', 'dib', 'rle'], mime: 'image/bmp' },
  apng: { label: 'APNG', about: 'PNG 动图', group: 'common', can: 'write', extensions: ['apng'], mime: 'image/apng' },
  jxl: { label: 'JXL', about: '新一代照片格式', group: 'common', can: 'both', extensions: ['jxl'], mime: 'image/jxl' },
  jp2: { label: 'JP2', about: 'JPEG 2000 图片', group: 'common', can: 'both', extensions: ['jp2', 'jpf', 'jpx', 'jpm'], mime: 'image/jp2' },
  j2k: { label: 'J2K', about: 'JPEG 2000 码流', group: 'common', can: 'both', extensions: ['j2k', 'j2c', 'jpc', 'jpt'], mime: 'image/j2c' },
  svg: { label: 'SVG', about: '网页矢量图', group: 'design', can: 'read', extensions: ['svg'], mime: 'image/svg+xml' },
  ico: { label: 'ICO', about: 'Windows 图标、网站图标', group: 'design', can: 'both', extensions: ['ico'], mime: 'image/x-icon' },
  cur: { label: 'CUR', about: 'Windows 鼠标指针', group: 'design', can: 'both', extensions: ['cur'], mime: 'image/x-win-bitmap' },
  icns: { label: 'ICNS', about: '苹果电脑图标', group: 'design', can: 'both', extensions: ['icns'], mime: 'image/icns' },
  psd: { label: 'PSD', about: 'Photoshop 设计稿', group: 'design', can: 'both', extensions: ['psd'], mime: 'image/vnd.adobe.photoshop' },
  psb: { label: 'PSB', about: 'Photoshop 大型文档', group: 'design', can: 'both', extensions: ['psb'], mime: 'image/x-psb' },
  xcf: { label: 'XCF', about: 'GIMP 设计稿', group: 'design', can: 'read', extensions: ['xcf'], mime: 'image/x-xcf' },
  tga: {
    label: 'TGA',
    about: '游戏与动画贴图',
    group: 'design',
    can: 'both',
    extensions: ['tga', 'icb', 'vda', 'vst'],
    mime: 'image/x-tga',
  },
  dds: { label: 'DDS', about: '游戏贴图', group: 'design', can: 'both', extensions: ['dds'], mime: 'image/vnd-ms.dds' },
  qoi: { label: 'QOI', about: '快速无损图片', group: 'design', can: 'both', extensions: ['qoi'], mime: 'image/qoi' },
  tim: { label: 'TIM', about: 'PlayStation 贴图', group: 'design', can: 'read', extensions: ['tim'], mime: 'image/x-tim' },
  aseprite: { label: 'Aseprite', about: '像素画', group: 'design', can: 'both', extensions: ['aseprite', 'ase'], mime: 'image/x-aseprite' },
  tm2: { label: 'TIM2', about: 'PlayStation 2 贴图', group: 'design', can: 'read', extensions: ['tm2'], mime: 'image/x-tim2' },
  mng: { label: 'MNG', about: 'PNG 系列动画', group: 'design', can: 'read', extensions: ['mng'], mime: 'video/x-mng' },
  jng: { label: 'JNG', about: '带透明的 JPEG 网络图片', group: 'design', can: 'both', extensions: ['jng'], mime: 'image/x-jng' },
  xpm: { label: 'XPM', about: 'X Window 彩色图标', group: 'design', can: 'both', extensions: ['xpm', 'picon'], mime: 'image/x-xpixmap' },
  xbm: { label: 'XBM', about: 'X Window 黑白图标', group: 'design', can: 'both', extensions: ['xbm'], mime: 'image/x-xbitmap' },
  cr2: { label: 'CR2', about: '佳能相机照片', group: 'camera', can: 'read', extensions: ['cr2'], mime: 'image/x-canon-cr2' },
  cr3: { label: 'CR3', about: '佳能新相机照片', group: 'camera', can: 'read', extensions: ['cr3'], mime: 'image/x-canon-cr3' },
  crw: { label: 'CRW', about: '佳能早期相机照片', group: 'camera', can: 'read', extensions: ['crw'], mime: 'image/x-canon-crw' },
  nef: { label: 'NEF', about: '尼康相机照片', group: 'camera', can: 'read', extensions: ['nef'], mime: 'image/x-nikon-nef' },
  nrw: { label: 'NRW', about: '尼康便携相机照片', group: 'camera', can: 'read', extensions: ['nrw'], mime: 'image/x-nikon-nrw' },
  arw: { label: 'ARW', about: '索尼相机照片', group: 'camera', can: 'read', extensions: ['arw'], mime: 'image/x-sony-arw' },
  sr2: { label: 'SR2', about: '索尼早期相机照片', group: 'camera', can: 'read', extensions: ['sr2'], mime: 'image/x-sony-sr2' },
  srf: { label: 'SRF', about: '索尼早期相机照片', group: 'camera', can: 'read', extensions: ['srf'], mime: 'image/x-sony-srf' },
  dng: { label: 'DNG', about: '通用原始照片，手机也用', group: 'camera', can: 'read', extensions: ['dng'], mime: 'image/x-adobe-dng' },
  raf: { label: 'RAF', about: '富士相机照片', group: 'camera', can: 'read', extensions: ['raf'], mime: 'image/x-fujifilm-raf' },
  orf: { label: 'ORF', about: '奥林巴斯相机照片', group: 'camera', can: 'read', extensions: ['orf'], mime: 'image/x-olympus-orf' },
  rw2: { label: 'RW2', about: '松下相机照片', group: 'camera', can: 'read', extensions: ['rw2'], mime: 'image/x-panasonic-rw2' },
  rwl: { label: 'RWL', about: '徕卡相机照片', group: 'camera', can: 'read', extensions: ['rwl'], mime: 'image/x-leica-rwl' },
  pef: { label: 'PEF', about: '宾得相机照片', group: 'camera', can: 'read', extensions: ['pef'], mime: 'image/x-pentax-pef' },
  srw: { label: 'SRW', about: '三星相机照片', group: 'camera', can: 'read', extensions: ['srw'], mime: 'image/x-samsung-srw' },
  x3f: { label: 'X3F', about: '适马相机照片', group: 'camera', can: 'read', extensions: ['x3f'], mime: 'image/x-sigma-x3f' },
  '3fr': { label: '3FR', about: '哈苏相机照片', group: 'camera', can: 'read', extensions: ['3fr'], mime: 'image/x-hasselblad-3fr' },
  fff: { label: 'FFF', about: '哈苏相机照片', group: 'camera', can: 'read', extensions: ['fff'], mime: 'image/x-hasselblad-fff' },
  erf: { label: 'ERF', about: '爱普生相机照片', group: 'camera', can: 'read', extensions: ['erf'], mime: 'image/x-epson-erf' },
  kdc: { label: 'KDC', about: '柯达相机照片', group: 'camera', can: 'read', extensions: ['kdc'], mime: 'image/x-kodak-kdc' },
  dcr: { label: 'DCR', about: '柯达专业相机照片', group: 'camera', can: 'read', extensions: ['dcr'], mime: 'image/x-kodak-dcr' },
  k25: { label: 'K25', about: '柯达 DC25 相机照片', group: 'camera', can: 'read', extensions: ['k25'], mime: 'image/x-kodak-k25' },
  mrw: { label: 'MRW', about: '美能达相机照片', group: 'camera', can: 'read', extensions: ['mrw'], mime: 'image/x-minolta-mrw' },
  mdc: { label: 'MDC', about: '美能达早期相机照片', group: 'camera', can: 'read', extensions: ['mdc'], mime: 'image/x-minolta-mdc' },
  mef: { label: 'MEF', about: '玛米亚相机照片', group: 'camera', can: 'read', extensions: ['mef'], mime: 'image/x-mamiya-mef' },
  mos: { label: 'MOS', about: '利图数码后背照片', group: 'camera', can: 'read', extensions: ['mos'], mime: 'image/x-leaf-mos' },
  iiq: { label: 'IIQ', about: '飞思数码后背照片', group: 'camera', can: 'read', extensions: ['iiq'], mime: 'image/x-phaseone-iiq' },
  sti: { label: 'STI', about: '仙娜数码后背照片', group: 'camera', can: 'read', extensions: ['sti'], mime: 'image/x-sinar-sti' },
  hdr: {
    label: 'HDR',
    about: '高动态范围照片',
    group: 'professional',
    can: 'both',
    extensions: ['hdr', 'rgbe', 'pic'],
    mime: 'image/vnd.radiance',
  },
  exr: { label: 'EXR', about: '影视高动态范围图片', group: 'professional', can: 'both', extensions: ['exr'], mime: 'image/x-exr' },
  pfm: { label: 'PFM', about: '浮点图片', group: 'professional', can: 'both', extensions: ['pfm'], mime: 'image/x-portable-floatmap' },
  phm: { label: 'PHM', about: '半精度浮点图片', group: 'professional', can: 'both', extensions: ['phm'], mime: 'image/x-portable-halfmap' },
  dpx: { label: 'DPX', about: '电影胶片扫描图片', group: 'professional', can: 'both', extensions: ['dpx'], mime: 'image/x-dpx' },
  cin: { label: 'CIN', about: '柯达胶片扫描图片', group: 'professional', can: 'both', extensions: ['cin'], mime: 'image/x-cineon' },
  fl32: { label: 'FL32', about: '影视调色图片', group: 'professional', can: 'both', extensions: ['fl32'], mime: 'image/x-filmlight' },
  fits: { label: 'FITS', about: '天文图片', group: 'professional', can: 'both', extensions: ['fits', 'fit', 'fts'], mime: 'image/fits' },
  dcm: { label: 'DICOM', about: '医学影像', group: 'professional', can: 'read', extensions: ['dcm', 'dicom'], mime: 'application/dicom' },
  vicar: { label: 'VICAR', about: '航天探测图片', group: 'professional', can: 'both', extensions: ['vicar', 'vic'], mime: 'image/x-vicar' },
  pgx: { label: 'PGX', about: 'JPEG 2000 单通道图片', group: 'professional', can: 'both', extensions: ['pgx'], mime: 'image/x-pgx' },
  mat: {
    label: 'MAT',
    about: 'MATLAB 图像数据',
    group: 'professional',
    can: 'both',
    extensions: ['mat'],
    mime: 'application/x-matlab-data',
  },
  ipl: { label: 'IPL', about: '显微镜图像序列', group: 'professional', can: 'both', extensions: ['ipl'], mime: 'image/x-ipl' },
  miff: { label: 'MIFF', about: 'ImageMagick 图片', group: 'professional', can: 'both', extensions: ['miff', 'mif'], mime: 'image/x-miff' },
  vips: { label: 'VIPS', about: 'libvips 图片', group: 'professional', can: 'both', extensions: ['vips', 'v'], mime: 'image/x-vips' },
  viff: { label: 'VIFF', about: 'Khoros 科学图像', group: 'professional', can: 'both', extensions: ['viff', 'xv'], mime: 'image/x-viff' },
  ppm: { label: 'PPM', about: '彩色像素图', group: 'classic', can: 'both', extensions: ['ppm'], mime: 'image/x-portable-pixmap' },
  pgm: { label: 'PGM', about: '灰度像素图', group: 'classic', can: 'both', extensions: ['pgm'], mime: 'image/x-portable-graymap' },
  pbm: { label: 'PBM', about: '黑白像素图', group: 'classic', can: 'both', extensions: ['pbm'], mime: 'image/x-portable-bitmap' },
  pnm: { label: 'PNM', about: '通用像素图', group: 'classic', can: 'write', extensions: ['pnm'], mime: 'image/x-portable-anymap' },
  pam: { label: 'PAM', about: '带透明的像素图', group: 'classic', can: 'both', extensions: ['pam'], mime: 'image/x-portable-arbitrarymap' },
  farbfeld: {
    label: 'Farbfeld',
    about: '无损 16 位图片',
    group: 'classic',
    can: 'both',
    extensions: ['ff', 'farbfeld'],
    mime: 'image/x-farbfeld',
  },
  pcx: { label: 'PCX', about: 'DOS 画笔图片', group: 'classic', can: 'both', extensions: ['pcx'], mime: 'image/x-pcx' },
  dcx: { label: 'DCX', about: '多页传真图片', group: 'classic', can: 'both', extensions: ['dcx'], mime: 'image/x-dcx' },
  sgi: {
    label: 'SGI',
    about: 'SGI 工作站图片',
    group: 'classic',
    can: 'both',
    extensions: ['sgi', 'rgb', 'rgba', 'bw'],
    mime: 'image/x-sgi',
  },
  ras: {
    label: 'RAS',
    about: 'Sun 工作站图片',
    group: 'classic',
    can: 'both',
    extensions: ['ras', 'sun', 'im8'],
    mime: 'image/x-sun-raster',
  },
  pict: { label: 'PICT', about: '早期苹果电脑图片', group: 'classic', can: 'both', extensions: ['pict', 'pct'], mime: 'image/x-pict' },
  wpg: { label: 'WPG', about: 'WordPerfect 图片', group: 'classic', can: 'both', extensions: ['wpg'], mime: 'image/x-wpg' },
  palm: { label: 'PALM', about: 'Palm 掌上电脑图片', group: 'classic', can: 'both', extensions: ['palm'], mime: 'image/x-palm' },
  pdb: { label: 'PDB', about: 'Palm 图片库', group: 'classic', can: 'read', extensions: ['pdb'], mime: 'image/x-palm-pdb' },
  pcd: { label: 'PCD', about: '柯达 Photo CD 照片', group: 'classic', can: 'read', extensions: ['pcd'], mime: 'image/x-photo-cd' },
  wbmp: { label: 'WBMP', about: '早期手机黑白图片', group: 'classic', can: 'both', extensions: ['wbmp'], mime: 'image/vnd.wap.wbmp' },
  otb: { label: 'OTB', about: '诺基亚手机黑白图片', group: 'classic', can: 'both', extensions: ['otb'], mime: 'image/x-otb' },
  aai: { label: 'AAI', about: 'Dune 播放器图片', group: 'classic', can: 'both', extensions: ['aai'], mime: 'image/x-aai' },
  avs: { label: 'AVS', about: 'AVS 科学可视化图片', group: 'classic', can: 'both', extensions: ['avs', 'x'], mime: 'image/x-avs' },
  mtv: { label: 'MTV', about: 'MTV 光线追踪图片', group: 'classic', can: 'both', extensions: ['mtv'], mime: 'image/x-mtv' },
  rla: { label: 'RLA', about: 'Wavefront 渲染图片', group: 'classic', can: 'read', extensions: ['rla'], mime: 'image/x-rla' },
  pix: { label: 'PIX', about: 'Alias 渲染图片', group: 'classic', can: 'read', extensions: ['pix', 'als'], mime: 'image/x-alias-pix' },
  utah: { label: 'Utah RLE', about: '犹他大学图片', group: 'classic', can: 'read', extensions: ['urt'], mime: 'image/x-utah-rle' },
  sct: { label: 'SCT', about: 'Scitex 印前图片', group: 'classic', can: 'read', extensions: ['sct'], mime: 'image/x-scitex' },
  mac: { label: 'MacPaint', about: '早期苹果画图', group: 'classic', can: 'read', extensions: ['mac', 'pntg'], mime: 'image/x-macpaint' },
  sfw: { label: 'SFW', about: 'Seattle FilmWorks 照片', group: 'classic', can: 'read', extensions: ['sfw', 'pwp'], mime: 'image/x-sfw' },
  pdf: { label: 'PDF', about: '文档，一页一图', group: 'document', can: 'write', extensions: ['pdf'], mime: 'application/pdf' },
  docx: { label: 'Word', about: 'Word 文档', group: 'document', extensions: ['docx'], mime: `${OPEN_XML}.wordprocessingml.document` },
  xlsx: { label: 'Excel', about: 'Excel 表格', group: 'document', extensions: ['xlsx'], mime: `${OPEN_XML}.spreadsheetml.sheet` },
  pptx: {
    label: 'PPT',
    about: 'PowerPoint 演示文稿',
    group: 'document',
    extensions: ['pptx'],
    mime: `${OPEN_XML}.presentationml.presentation`,
  },
  ofd: { label: 'OFD', about: '国标版式文档', group: 'document', extensions: ['ofd'], mime: 'application/ofd' },
  txt: { label: 'TXT', about: '纯文本', group: 'document', extensions: ['txt'], mime: 'text/plain' },
  zip: { label: 'ZIP', about: '压缩包', group: 'document', extensions: ['zip'], mime: 'application/zip' },
} as const satisfies Record<string, Format>

/** A format by its name in code and on the wire. */
export type FormatId = keyof typeof formats

type Able<How extends string> = { [Id in FormatId]: (typeof formats)[Id] extends { readonly can: How } ? Id : never }[FormatId]

/** A picture format this product reads. */
export type ReadableId = Able<'read' | 'both'>
/** A picture format this product writes. */
export type WritableId = Able<'write' | 'both'>

const entries: readonly (readonly [string, Format])[] = Object.entries(formats)
const idsThat = (able: (format: Format) => boolean): readonly string[] => entries.filter(([, format]) => able(format)).map(([id]) => id)

/** The picture formats conversion reads, SVG among them. */
export const convertibleFormats = idsThat(({ can }) => can === 'read' || can === 'both') as readonly ReadableId[] // a filter forgets which ids pass; the type says the same by the same field
/** The picture formats every picture tool may read: a drawing that can keep a computer busy for ever (SVG) is for conversion only. */
export const readableFormats: readonly ReadableId[] = convertibleFormats.filter((id) => id !== 'svg')
/** The picture formats this product writes. */
export const writableFormats = idsThat(({ can }) => can === 'write' || can === 'both') as readonly WritableId[] // as above

/** The formats a picture is compressed in without leaving its format. */
export const compressibleFormats = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const satisfies readonly FormatId[]
/** A format a picture is compressed in without leaving its format. */
export type CompressibleId = (typeof compressibleFormats)[number]
/** Whether a format can be compressed without leaving it. */
export const isCompressible = (format: FormatId): format is CompressibleId => compressibleFormats.some((one) => one === format)

/** Whether a word read from a file or a flag names a format of ours. */
export const isFormatId = (word: string): word is FormatId => Object.hasOwn(formats, word)

const shownByBrowsers: ReadonlySet<string> = new Set<FormatId>(['jpeg', 'png', 'webp', 'avif', 'gif', 'bmp'])

/** Whether every browser of today shows a picture of this format. */
export const isShownByBrowsers = (format: string): boolean => shownByBrowsers.has(format)

/** A sentence names no more formats than this. */
const NAMED_IN_A_SENTENCE = 8

/** The labels of some formats for a sentence: `JPG、PNG、WebP`; of very many, the first with their number: `JPG、PNG … 等 100 种格式`. */
export function formatLabels(ids: readonly FormatId[]): string {
  const labels = ids.map((id) => formats[id].label)
  if (labels.length <= 12) return labels.join('、')
  return `${labels.slice(0, NAMED_IN_A_SENTENCE).join('、')} 等 ${labels.length} 种格式`
}

/** Whether an extension (no dot, any case) is one the format goes by. */
export const hasExtension = (id: FormatId, extension: string): boolean => {
  const known: readonly string[] = formats[id].extensions
  return known.includes(extension.toLowerCase())
}
