/** How opaque each pixel of a picture is: one sample a pixel, rows from the top, 0 ground to 255 subject. */
export interface Matte {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}
