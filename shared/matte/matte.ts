import type { Size } from '#shared/resize'

/** How much of each pixel is subject: 0 is ground, 255 subject; rows from the top. */
export interface Matte {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Bytes as a matte, without a copy. Node's Buffer is no array to make mattes of: its slices share its memory, and a change to one changes the other. */
export const matteOf = (bytes: Uint8Array, { width, height }: Size): Matte => ({
  data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
  width,
  height,
})
