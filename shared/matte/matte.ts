/** How much of each pixel is subject: 0 is ground, 255 subject; rows from the top. */
export interface Matte {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}
