import type { Face } from '../ai/faces.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'
import { findEllipses, type Ellipse } from '#shared/effects/unstretch/ellipses'
import { faceClue } from '#shared/effects/unstretch/face-clue'
import type { Clues } from '#shared/effects/unstretch/stretch'
import type { Plane } from '#shared/matte/blur'

/** Outlines are looked for in a copy whose longer side has no more pixels. */
const LONGEST_PX = 1200

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

/** What tells of a still picture's stretching: what looks like circles, and its faces. */
export async function cluesOf(pixels: Pixels, faces: readonly Face[]): Promise<Clues> {
  const { width, height } = pixels
  return { size: { width, height }, ellipses: await ellipsesOf(pixels), faces: faces.flatMap((face) => faceClue(face.landmarks) ?? []) }
}
