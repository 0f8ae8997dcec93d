/** Bytes in one KB as people and exam sites mean it on screen: 1024. */
export const BYTES_PER_KB = 1024

/** Bytes in one MB: 1024 × 1024. */
export const BYTES_PER_MB = 1024 * 1024

const trim = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ''))

/** A byte count in the unit a person would choose: `86 KB`, `1.5 MB`; below one KB, `640 B`. */
export function formatBytes(bytes: number): string {
  if (bytes < BYTES_PER_KB) return `${bytes} B`
  if (bytes < BYTES_PER_MB) return `${trim(bytes / BYTES_PER_KB)} KB`
  return `${trim(bytes / BYTES_PER_MB)} MB`
}

/** A pixel count in millions (the field's megapixel): `12.2`. */
export const megapixels = (pixels: number): string => trim(pixels / 1e6)

/** How long to wait, as people say it: `45 秒`, `20 分钟`, `3 小时`. */
export const waitText = (seconds: number): string =>
  seconds < 120 ? `${Math.ceil(seconds)} 秒` : seconds < 7200 ? `${Math.ceil(seconds / 60)} 分钟` : `${Math.ceil(seconds / 3600)} 小时`
