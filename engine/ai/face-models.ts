import type { Digest } from './models.ts'

/** A model of faces: its file, what that must be, and whose it is. */
export interface FaceModel {
  readonly file: string
  readonly digest: Digest
  readonly licence: string
  readonly source: string
}

const source = 'https://www.npmjs.com/package/@vladmandic/face-api/v/1.7.15'

/** What ships: the weights of face-api.js, which the build writes as ONNX; the digests are those of what it writes. */
export const shippedFaceModels = {
  detector: {
    file: 'face-detect.onnx',
    digest: { algorithm: 'sha256', hex: '1962be4fe631ec8d44facebd432ea21e0b7b3562f45e557279644bec4cc580b9' },
    licence: 'MIT',
    source,
  },
  landmarks: {
    file: 'face-landmarks.onnx',
    digest: { algorithm: 'sha256', hex: 'fd18e1a65c8041f8062fc4bfd171c4bd98112b3934fc6e075fc41ae8c24e7e17' },
    licence: 'MIT',
    source,
  },
} as const satisfies Record<string, FaceModel>

/** Finds faces in place of the shipped detector, faster and more of them, where an operator adds it. */
export const yunet: FaceModel = {
  file: 'face_detection_yunet_2023mar.onnx',
  digest: { algorithm: 'md5', hex: '88eef4d09604f34ca14a3bb366e08770' },
  licence: 'MIT',
  source: 'https://github.com/opencv/opencv_zoo/tree/main/models/face_detection_yunet',
}
