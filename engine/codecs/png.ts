import type { Fitted } from './fit-picture.ts'
import type { Picture } from '../image/open.ts'
import { outputPipelineOf, type Pixels } from '../image/pixels.ts'
export async function fitPng(
  pixels: Pixels,
  _picture: Picture,
  _aim: { limitBytes: number; keepsPixels: boolean; msLeft: () => number },
): Promise<Fitted> {
  return {
    bytes: await outputPipelineOf(pixels).png({ palette: true }).toBuffer(),
    width: pixels.width,
    height: pixels.height,
    quality: 1,
    isWithin: true,
  }
}
export const reducePng = (pixels: Pixels, _picture: Picture, quality: number): Promise<Buffer> =>
  outputPipelineOf(pixels).png({ palette: true, quality }).toBuffer()
