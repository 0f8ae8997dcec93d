import type { Model } from './models.ts'

/**
 * A model that finds colours for a black-and-white picture. What it answers is `a` and `b` of CIE Lab in their units, [1, 2, h, w] of any size that
 * covers the picture. It is fed by its first input:
 * - `lightness`: [1, 1, h, w] of L, 0..100;
 * - `grey`: [1, 3, h, w] of the grey picture as red, green and blue of sRGB, 0..1 (what DDColor takes).
 */
export interface ColourModel extends Pick<Model, 'id' | 'tier' | 'file' | 'bytes' | 'digest' | 'licence' | 'source'> {
  readonly takes: 'lightness' | 'grey'
  /** The side of the square it takes; without it any sides in multiples of 32, of which the shorter is best about `shortPx`. */
  readonly inputPx?: number
  readonly shortPx?: number
}

/** Every such model, best first: the first that is there is used. */
export const colourModels: readonly [...ColourModel[], ColourModel] = [
  {
    id: 'ddcolor',
    tier: 'hd',
    file: 'ddcolor.onnx',
    bytes: 912_000_000,
    takes: 'grey',
    inputPx: 512,
    licence: 'Apache-2.0',
    source: 'https://github.com/piddnad/DDColor',
  },
  {
    id: 'colourize-256',
    tier: 'hd',
    file: 'colourize-256.onnx',
    bytes: 130_000_000,
    takes: 'lightness',
    inputPx: 256,
    licence: '由提供方声明',
    source: '任意符合张量约定的模型：L [1,1,256,256] → ab [1,2,h,w]',
  },
  {
    id: 'qingtu-colourize',
    tier: 'default',
    file: 'colourize.onnx',
    bytes: 5_103_964,
    digest: { algorithm: 'sha256', hex: '226054c9a9db231063c6d12e5b71a5ffe793864b430c0aaf6b7ed581504198a3' },
    takes: 'lightness',
    shortPx: 192,
    licence: 'MIT',
    source: 'engine/ai/weights/colourize.md',
  },
]
