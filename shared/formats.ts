/** What the product knows of a file format: what to call it, its usual extension first, and what is done with its pictures. */
interface Format {
  readonly label: string
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

    group: 'common',
    can: 'both',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'mpo', 'jps'],
    mime: 'image/jpeg',
  },
  png: { label: 'PNG', group: 'common', can: 'both', extensions: ['png', 'apng'], mime: 'image/png' },
  gif: { label: 'GIF', group: 'common', can: 'both', extensions: ['gif'], mime: 'image/gif' },
  webp: { label: 'WebP', group: 'common', can: 'both', extensions: ['webp'], mime: 'image/webp' },
  avif: {
    label: 'AVIF',

    group: 'common',
    can: 'both',
    extensions: ['avif', 'avifs'],
    mime: 'image/avif',
  },
  heic: { label: 'HEIC', group: 'common', can: 'both', extensions: ['heic', 'heif', 'hif'], mime: 'image/heic' },
  tiff: { label: 'TIFF', group: 'common', can: 'both', extensions: ['tif', 'tiff'], mime: 'image/tiff' },
  bmp: { label: 'BMP', group: 'common', can: 'both', extensions: ['bmp', 'dib', 'rle'], mime: 'image/bmp' },
  apng: { label: 'APNG', group: 'common', can: 'write', extensions: ['apng'], mime: 'image/apng' },
  jxl: { label: 'JXL', group: 'common', can: 'both', extensions: ['jxl'], mime: 'image/jxl' },
  jp2: { label: 'JP2', group: 'common', can: 'both', extensions: ['jp2', 'jpf', 'jpx', 'jpm'], mime: 'image/jp2' },
  j2k: { label: 'J2K', group: 'common', can: 'both', extensions: ['j2k', 'j2c', 'jpc', 'jpt'], mime: 'image/j2c' },
  svg: { label: 'SVG', group: 'design', can: 'read', extensions: ['svg'], mime: 'image/svg+xml' },
  ico: { label: 'ICO', group: 'design', can: 'both', extensions: ['ico'], mime: 'image/x-icon' },
  cur: { label: 'CUR', group: 'design', can: 'both', extensions: ['cur'], mime: 'image/x-win-bitmap' },
  icns: { label: 'ICNS', group: 'design', can: 'both', extensions: ['icns'], mime: 'image/icns' },
  psd: { label: 'PSD', group: 'design', can: 'both', extensions: ['psd'], mime: 'image/vnd.adobe.photoshop' },
  psb: { label: 'PSB', group: 'design', can: 'both', extensions: ['psb'], mime: 'image/x-psb' },
  xcf: { label: 'XCF', group: 'design', can: 'read', extensions: ['xcf'], mime: 'image/x-xcf' },
  tga: {
    label: 'TGA',

    group: 'design',
    can: 'both',
    extensions: ['tga', 'icb', 'vda', 'vst'],
    mime: 'image/x-tga',
  },
  dds: { label: 'DDS', group: 'design', can: 'both', extensions: ['dds'], mime: 'image/vnd-ms.dds' },
  qoi: { label: 'QOI', group: 'design', can: 'both', extensions: ['qoi'], mime: 'image/qoi' },
  tim: { label: 'TIM', group: 'design', can: 'read', extensions: ['tim'], mime: 'image/x-tim' },
  aseprite: { label: 'Aseprite', group: 'design', can: 'both', extensions: ['aseprite', 'ase'], mime: 'image/x-aseprite' },
  tm2: { label: 'TIM2', group: 'design', can: 'read', extensions: ['tm2'], mime: 'image/x-tim2' },
  mng: { label: 'MNG', group: 'design', can: 'read', extensions: ['mng'], mime: 'video/x-mng' },
  jng: { label: 'JNG', group: 'design', can: 'both', extensions: ['jng'], mime: 'image/x-jng' },
  xpm: { label: 'XPM', group: 'design', can: 'both', extensions: ['xpm', 'picon'], mime: 'image/x-xpixmap' },
  xbm: { label: 'XBM', group: 'design', can: 'both', extensions: ['xbm'], mime: 'image/x-xbitmap' },
  cr2: { label: 'CR2', group: 'camera', can: 'read', extensions: ['cr2'], mime: 'image/x-canon-cr2' },
  cr3: { label: 'CR3', group: 'camera', can: 'read', extensions: ['cr3'], mime: 'image/x-canon-cr3' },
  crw: { label: 'CRW', group: 'camera', can: 'read', extensions: ['crw'], mime: 'image/x-canon-crw' },
  nef: { label: 'NEF', group: 'camera', can: 'read', extensions: ['nef'], mime: 'image/x-nikon-nef' },
  nrw: { label: 'NRW', group: 'camera', can: 'read', extensions: ['nrw'], mime: 'image/x-nikon-nrw' },
  arw: { label: 'ARW', group: 'camera', can: 'read', extensions: ['arw'], mime: 'image/x-sony-arw' },
  sr2: { label: 'SR2', group: 'camera', can: 'read', extensions: ['sr2'], mime: 'image/x-sony-sr2' },
  srf: { label: 'SRF', group: 'camera', can: 'read', extensions: ['srf'], mime: 'image/x-sony-srf' },
  dng: { label: 'DNG', group: 'camera', can: 'read', extensions: ['dng'], mime: 'image/x-adobe-dng' },
  raf: { label: 'RAF', group: 'camera', can: 'read', extensions: ['raf'], mime: 'image/x-fujifilm-raf' },
  orf: { label: 'ORF', group: 'camera', can: 'read', extensions: ['orf'], mime: 'image/x-olympus-orf' },
  rw2: { label: 'RW2', group: 'camera', can: 'read', extensions: ['rw2'], mime: 'image/x-panasonic-rw2' },
  rwl: { label: 'RWL', group: 'camera', can: 'read', extensions: ['rwl'], mime: 'image/x-leica-rwl' },
  pef: { label: 'PEF', group: 'camera', can: 'read', extensions: ['pef'], mime: 'image/x-pentax-pef' },
  srw: { label: 'SRW', group: 'camera', can: 'read', extensions: ['srw'], mime: 'image/x-samsung-srw' },
  x3f: { label: 'X3F', group: 'camera', can: 'read', extensions: ['x3f'], mime: 'image/x-sigma-x3f' },
  '3fr': { label: '3FR', group: 'camera', can: 'read', extensions: ['3fr'], mime: 'image/x-hasselblad-3fr' },
  fff: { label: 'FFF', group: 'camera', can: 'read', extensions: ['fff'], mime: 'image/x-hasselblad-fff' },
  erf: { label: 'ERF', group: 'camera', can: 'read', extensions: ['erf'], mime: 'image/x-epson-erf' },
  kdc: { label: 'KDC', group: 'camera', can: 'read', extensions: ['kdc'], mime: 'image/x-kodak-kdc' },
  dcr: { label: 'DCR', group: 'camera', can: 'read', extensions: ['dcr'], mime: 'image/x-kodak-dcr' },
  k25: { label: 'K25', group: 'camera', can: 'read', extensions: ['k25'], mime: 'image/x-kodak-k25' },
  mrw: { label: 'MRW', group: 'camera', can: 'read', extensions: ['mrw'], mime: 'image/x-minolta-mrw' },
  mdc: { label: 'MDC', group: 'camera', can: 'read', extensions: ['mdc'], mime: 'image/x-minolta-mdc' },
  mef: { label: 'MEF', group: 'camera', can: 'read', extensions: ['mef'], mime: 'image/x-mamiya-mef' },
  mos: { label: 'MOS', group: 'camera', can: 'read', extensions: ['mos'], mime: 'image/x-leaf-mos' },
  iiq: { label: 'IIQ', group: 'camera', can: 'read', extensions: ['iiq'], mime: 'image/x-phaseone-iiq' },
  sti: { label: 'STI', group: 'camera', can: 'read', extensions: ['sti'], mime: 'image/x-sinar-sti' },
  hdr: {
    label: 'HDR',

    group: 'professional',
    can: 'both',
    extensions: ['hdr', 'rgbe', 'pic'],
    mime: 'image/vnd.radiance',
  },
  exr: { label: 'EXR', group: 'professional', can: 'both', extensions: ['exr'], mime: 'image/x-exr' },
  pfm: { label: 'PFM', group: 'professional', can: 'both', extensions: ['pfm'], mime: 'image/x-portable-floatmap' },
  phm: { label: 'PHM', group: 'professional', can: 'both', extensions: ['phm'], mime: 'image/x-portable-halfmap' },
  dpx: { label: 'DPX', group: 'professional', can: 'both', extensions: ['dpx'], mime: 'image/x-dpx' },
  cin: { label: 'CIN', group: 'professional', can: 'both', extensions: ['cin'], mime: 'image/x-cineon' },
  fl32: { label: 'FL32', group: 'professional', can: 'both', extensions: ['fl32'], mime: 'image/x-filmlight' },
  fits: { label: 'FITS', group: 'professional', can: 'both', extensions: ['fits', 'fit', 'fts'], mime: 'image/fits' },
  dcm: { label: 'DICOM', group: 'professional', can: 'read', extensions: ['dcm', 'dicom'], mime: 'application/dicom' },
  vicar: { label: 'VICAR', group: 'professional', can: 'both', extensions: ['vicar', 'vic'], mime: 'image/x-vicar' },
  pgx: { label: 'PGX', group: 'professional', can: 'both', extensions: ['pgx'], mime: 'image/x-pgx' },
  mat: {
    label: 'MAT',

    group: 'professional',
    can: 'both',
    extensions: ['mat'],
    mime: 'application/x-matlab-data',
  },
  ipl: { label: 'IPL', group: 'professional', can: 'both', extensions: ['ipl'], mime: 'image/x-ipl' },
  miff: { label: 'MIFF', group: 'professional', can: 'both', extensions: ['miff', 'mif'], mime: 'image/x-miff' },
  vips: { label: 'VIPS', group: 'professional', can: 'both', extensions: ['vips', 'v'], mime: 'image/x-vips' },
  viff: { label: 'VIFF', group: 'professional', can: 'both', extensions: ['viff', 'xv'], mime: 'image/x-viff' },
  ppm: { label: 'PPM', group: 'classic', can: 'both', extensions: ['ppm'], mime: 'image/x-portable-pixmap' },
  pgm: { label: 'PGM', group: 'classic', can: 'both', extensions: ['pgm'], mime: 'image/x-portable-graymap' },
  pbm: { label: 'PBM', group: 'classic', can: 'both', extensions: ['pbm'], mime: 'image/x-portable-bitmap' },
  pnm: { label: 'PNM', group: 'classic', can: 'write', extensions: ['pnm'], mime: 'image/x-portable-anymap' },
  pam: { label: 'PAM', group: 'classic', can: 'both', extensions: ['pam'], mime: 'image/x-portable-arbitrarymap' },
  farbfeld: {
    label: 'Farbfeld',

    group: 'classic',
    can: 'both',
    extensions: ['ff', 'farbfeld'],
    mime: 'image/x-farbfeld',
  },
  pcx: { label: 'PCX', group: 'classic', can: 'both', extensions: ['pcx'], mime: 'image/x-pcx' },
  dcx: { label: 'DCX', group: 'classic', can: 'both', extensions: ['dcx'], mime: 'image/x-dcx' },
  sgi: {
    label: 'SGI',

    group: 'classic',
    can: 'both',
    extensions: ['sgi', 'rgb', 'rgba', 'bw'],
    mime: 'image/x-sgi',
  },
  ras: {
    label: 'RAS',

    group: 'classic',
    can: 'both',
    extensions: ['ras', 'sun', 'im8'],
    mime: 'image/x-sun-raster',
  },
  pict: { label: 'PICT', group: 'classic', can: 'both', extensions: ['pict', 'pct'], mime: 'image/x-pict' },
  wpg: { label: 'WPG', group: 'classic', can: 'both', extensions: ['wpg'], mime: 'image/x-wpg' },
  palm: { label: 'PALM', group: 'classic', can: 'both', extensions: ['palm'], mime: 'image/x-palm' },
  pdb: { label: 'PDB', group: 'classic', can: 'read', extensions: ['pdb'], mime: 'image/x-palm-pdb' },
  pcd: { label: 'PCD', group: 'classic', can: 'read', extensions: ['pcd'], mime: 'image/x-photo-cd' },
  wbmp: { label: 'WBMP', group: 'classic', can: 'both', extensions: ['wbmp'], mime: 'image/vnd.wap.wbmp' },
  otb: { label: 'OTB', group: 'classic', can: 'both', extensions: ['otb'], mime: 'image/x-otb' },
  aai: { label: 'AAI', group: 'classic', can: 'both', extensions: ['aai'], mime: 'image/x-aai' },
  avs: { label: 'AVS', group: 'classic', can: 'both', extensions: ['avs', 'x'], mime: 'image/x-avs' },
  mtv: { label: 'MTV', group: 'classic', can: 'both', extensions: ['mtv'], mime: 'image/x-mtv' },
  rla: { label: 'RLA', group: 'classic', can: 'read', extensions: ['rla'], mime: 'image/x-rla' },
  pix: { label: 'PIX', group: 'classic', can: 'read', extensions: ['pix', 'als'], mime: 'image/x-alias-pix' },
  utah: { label: 'Utah RLE', group: 'classic', can: 'read', extensions: ['urt'], mime: 'image/x-utah-rle' },
  sct: { label: 'SCT', group: 'classic', can: 'read', extensions: ['sct'], mime: 'image/x-scitex' },
  mac: { label: 'MacPaint', group: 'classic', can: 'read', extensions: ['mac', 'pntg'], mime: 'image/x-macpaint' },
  sfw: { label: 'SFW', group: 'classic', can: 'read', extensions: ['sfw', 'pwp'], mime: 'image/x-sfw' },
  pdf: { label: 'PDF', group: 'document', can: 'write', extensions: ['pdf'], mime: 'application/pdf' },
  docx: { label: 'Word', group: 'document', extensions: ['docx'], mime: `${OPEN_XML}.wordprocessingml.document` },
  xlsx: { label: 'Excel', group: 'document', extensions: ['xlsx'], mime: `${OPEN_XML}.spreadsheetml.sheet` },
  pptx: {
    label: 'PPT',

    group: 'document',
    extensions: ['pptx'],
    mime: `${OPEN_XML}.presentationml.presentation`,
  },
  ofd: { label: 'OFD', group: 'document', extensions: ['ofd'], mime: 'application/ofd' },
  txt: { label: 'TXT', group: 'document', extensions: ['txt'], mime: 'text/plain' },
  zip: { label: 'ZIP', group: 'document', extensions: ['zip'], mime: 'application/zip' },
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
