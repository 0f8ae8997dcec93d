import type { ReadableId, WritableId } from '#shared/formats'

/** ImageMagick's names of the coders that read our formats. Camera files share LibRaw, whatever the camera. */
export const readCoders = {
  heic: 'HEIC',
  tiff: 'TIFF',
  jxl: 'JXL',
  jp2: 'JP2',
  j2k: 'J2K',
  psd: 'PSD',
  psb: 'PSB',
  xcf: 'XCF',
  tga: 'TGA',
  dds: 'DDS',
  qoi: 'QOI',
  tim: 'TIM',
  aseprite: 'ASEPRITE',
  tm2: 'TM2',
  mng: 'MNG',
  jng: 'JNG',
  xpm: 'XPM',
  xbm: 'XBM',
  ...camera('cr2', 'cr3', 'crw', 'nef', 'nrw', 'arw', 'sr2', 'srf', 'dng', 'raf', 'orf', 'rw2', 'rwl', 'pef', 'srw', 'x3f'),
  ...camera('3fr', 'fff', 'erf', 'kdc', 'dcr', 'k25', 'mrw', 'mdc', 'mef', 'mos', 'iiq', 'sti'),
  hdr: 'HDR',
  exr: 'EXR',
  pfm: 'PFM',
  phm: 'PHM',
  dpx: 'DPX',
  cin: 'CIN',
  fl32: 'FL32',
  fits: 'FITS',
  dcm: 'DCM',
  vicar: 'VICAR',
  pgx: 'PGX',
  mat: 'MAT',
  ipl: 'IPL',
  miff: 'MIFF',
  vips: 'VIPS',
  viff: 'VIFF',
  ppm: 'PPM',
  pgm: 'PGM',
  pbm: 'PBM',
  pam: 'PAM',
  farbfeld: 'FARBFELD',
  pcx: 'PCX',
  dcx: 'DCX',
  sgi: 'SGI',
  ras: 'RAS',
  pict: 'PICT',
  wpg: 'WPG',
  palm: 'PALM',
  pdb: 'PDB',
  pcd: 'PCD',
  wbmp: 'WBMP',
  otb: 'OTB',
  aai: 'AAI',
  avs: 'AVS',
  mtv: 'MTV',
  rla: 'RLA',
  pix: 'PIX',
  utah: 'RLE',
  sct: 'SCT',
  mac: 'MAC',
  sfw: 'SFW',
} as const satisfies Partial<Record<ReadableId, string>>

/** A format that ImageMagick reads for us. */
export type MagickReadable = keyof typeof readCoders

function camera<C extends string>(...ids: readonly C[]): Readonly<Record<C, string>> {
  // fromEntries forgets its keys; they are the ids.
  return Object.fromEntries(ids.map((id) => [id, id.toUpperCase()])) as Record<C, string>
}

/** ImageMagick's names of the coders that write our formats. */
export const writeCoders = {
  jxl: 'JXL',
  jp2: 'JP2',
  j2k: 'J2K',
  psd: 'PSD',
  psb: 'PSB',
  tga: 'TGA',
  dds: 'DDS',
  qoi: 'QOI',
  aseprite: 'ASEPRITE',
  jng: 'JNG',
  xpm: 'XPM',
  xbm: 'XBM',
  hdr: 'HDR',
  exr: 'EXR',
  pfm: 'PFM',
  phm: 'PHM',
  dpx: 'DPX',
  cin: 'CIN',
  fl32: 'FL32',
  fits: 'FITS',
  vicar: 'VICAR',
  pgx: 'PGX',
  mat: 'MAT',
  ipl: 'IPL',
  miff: 'MIFF',
  vips: 'VIPS',
  viff: 'VIFF',
  ppm: 'PPM',
  pgm: 'PGM',
  pbm: 'PBM',
  pnm: 'PNM',
  pam: 'PAM',
  farbfeld: 'FARBFELD',
  pcx: 'PCX',
  dcx: 'DCX',
  sgi: 'SGI',
  ras: 'RAS',
  pict: 'PICT',
  wpg: 'WPG',
  palm: 'PALM',
  wbmp: 'WBMP',
  otb: 'OTB',
  aai: 'AAI',
  avs: 'AVS',
  mtv: 'MTV',
} as const satisfies Partial<Record<WritableId, string>>

/** A format that ImageMagick writes for us. */
export type MagickWritable = keyof typeof writeCoders

/** Raw samples, which is how pictures get from us to ImageMagick. */
export const SAMPLES = { 1: 'GRAY', 3: 'RGB', 4: 'RGBA' } as const

// Coders call others by these names for what lies inside their files (a JNG holds JPEG and PNG data),
// and some announce themselves by another of their names.
const parts = ['JPEG', 'PNG', 'PNM', 'SUN', 'FF', 'FTS', 'XV', 'DCRAW', 'BMP', 'TIFF', 'J2C', 'JPC']

const reading = new Set<string>([...Object.values(readCoders), ...Object.values(SAMPLES), ...parts])
const writing = new Set<string>([...Object.values(writeCoders), ...parts])

const rules = [...new Set([...reading, ...writing])].map((coder) => {
  const rights = [...(reading.has(coder) ? ['read'] : []), ...(writing.has(coder) ? ['write'] : [])].join('|')
  return `  <policy domain="coder" rights="${rights}" pattern="${coder}"/>`
})

/**
 * ImageMagick's security policy (policy.xml): only the coders above, and nothing that reads paths, runs programs, filters
 * or scripts (of rules that match, the last one counts). MSL, MVG, SVG, URL, FILE, TEXT, PS, EPS, PDF, fonts and video
 * stay off because they are not named.
 */
export const policy = `<?xml version="1.0" encoding="UTF-8"?>
<policymap>
  <policy domain="coder" rights="none" pattern="*"/>
${rules.join('\n')}
  <policy domain="delegate" rights="none" pattern="*"/>
  <policy domain="filter" rights="none" pattern="*"/>
  <policy domain="path" rights="none" pattern="@*"/>
  <policy domain="path" rights="none" pattern="|*"/>
</policymap>
`
