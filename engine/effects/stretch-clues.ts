import type { Face } from '../ai/faces.ts'
import { widened } from '../image/frames.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'
import { lumaOf as brightnessOf } from '#shared/effects/math/luma'
import { findEllipses, type Ellipse } from '#shared/effects/unstretch/ellipses'
import { faceClue } from '#shared/effects/unstretch/face-clue'
import { READ_PX } from '#shared/effects/unstretch/steps'
import type { Clues, FileClues } from '#shared/effects/unstretch/stretch'
import { tracesOf, type Traces } from '#shared/effects/unstretch/traces'
import type { Plane } from '#shared/matte/blur'

/** Outlines are looked for in a copy whose longer side has no more pixels. */
const LONGEST_PX = 1200
/** Traces are looked for in no more of a picture than a square of this side in its middle, at full size. */
const TRACED_PX = 2400

/** A smaller copy's brightness, 0..255; what is transparent is white. */
export async function lumaOf(pixels: Pixels, longestPx: number): Promise<Plane> {
  const size = { width: longestPx, height: longestPx, fit: 'inside', withoutEnlargement: true } as const
  const { data, width, height, channels } = await samplesOf(
    pipelineOf(pixels).flatten({ background: '#fff' }).resize(size).toColourspace('b-w'),
  )
  return { data: Float32Array.from({ length: width * height }, (_, at) => data[at * channels] ?? 0), width, height }
}

/** The upright ellipses of a still picture, in its own pixels. */
async function ellipsesOf(pixels: Pixels): Promise<readonly Ellipse[]> {
  const luma = await lumaOf(pixels, LONGEST_PX)
  // A copy's sides are whole pixels, so its proportions are not quite the picture's.
  const [across, down] = [pixels.width / luma.width, pixels.height / luma.height]
  return findEllipses(luma).map(({ x, y, a, b, seen }) => ({ x: x * across, y: y * down, a: a * across, b: b * down, seen }))
}

/** What resampling left in a still picture; `isJpeg` where its file is one, whose blocks are no trace. */
export async function tracesIn(pixels: Pixels, isJpeg: boolean): Promise<Traces> {
  const white = pipelineOf(pixels).flatten({ background: '#fff' })
  const [width, height] = [Math.min(TRACED_PX, pixels.width), Math.min(TRACED_PX, pixels.height)]
  const middle = { left: (pixels.width - width) >> 1, top: (pixels.height - height) >> 1, width, height }
  const { data, channels } = await samplesOf(white.clone().extract(middle).toColourspace('b-w'))
  const luma = { data: Float32Array.from({ length: width * height }, (_, at) => data[at * channels] ?? 0), width, height }
  const corner = { left: 0, top: 0, width: Math.min(READ_PX, pixels.width), height: Math.min(READ_PX, pixels.height) }
  const colours = widened(await samplesOf(white.extract(corner)), 3)
  return tracesOf(luma, { ...corner, data: brightnessOf(colours) }, isJpeg)
}

/** What tells of a still picture's stretching: what looks like circles, its faces, what its file tells, and what resampling left. */
export async function cluesOf(pixels: Pixels, faces: readonly Face[], isJpeg: boolean, file: FileClues = {}): Promise<Clues> {
  const { width, height } = pixels
  return {
    size: { width, height },
    ellipses: await ellipsesOf(pixels),
    faces: faces.flatMap((face) => faceClue(face.landmarks) ?? []),
    traces: await tracesIn(pixels, isJpeg),
    ...file,
  }
}
