import type { Head } from '../processor.ts'
import type { Sides } from '#shared/id-photo-crop'
import type { Matte } from '#shared/matte/matte'

/** A place in a picture, in its pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Lines of a head in pixels of the picture turned upright about its middle; it leans by `tilt` degrees clockwise. */
export interface HeadLines {
  readonly crown: number
  readonly eyes: number
  readonly chin: number
  readonly centre: number
  readonly tilt: number
}

/** From the eyes to the crown, hair included, over from the eyes to the chin: upper quartile of ten portraits by their mattes (1.04 to 1.67), lest hair is cut. */
const CROWN = 1.4
/** What that may be at all: the matte of a raised arm or of a tall bun is no crown. */
const CROWN_RANGE = [0.9, 1.9] as const
/** Heads that lean less are left alone: landmarks are no more exact, and turning costs sharpness. */
const LEAST_TILT = 2
/** An editor's lines can lean no further. */
const MOST_TILT = 30
/** Alpha from which a pixel is the person's. */
const SOLID = 128

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const middleOf = (points: readonly Point[]): Point => ({ x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) })

/** A point after its picture was turned clockwise about its middle. */
export function turnedPoint({ x, y }: Point, { width, height }: Sides, degrees: number): Point {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const [right, down] = [x - width / 2, y - height / 2]
  return { x: width / 2 + right * cosine - down * sine, y: height / 2 + right * sine + down * cosine }
}

/** How far the eyes of 68 landmarks lie from level, in degrees clockwise; 0 where that is next to nothing. */
export function tiltOf(landmarks: readonly Point[]): number {
  const [left, right] = [middleOf(landmarks.slice(36, 42)), middleOf(landmarks.slice(42, 48))]
  const degrees = (Math.atan2(right.y - left.y, right.x - left.x) * 180) / Math.PI
  if (Math.abs(degrees) < LEAST_TILT) return 0
  return Math.round(Math.max(-MOST_TILT, Math.min(MOST_TILT, degrees)) * 10) / 10
}

/** The highest place that solid pixels reach from the eyes up, over the middle of the face; hairs that stick out alone don't count. */
function solidTop(matte: Matte, { eyes, chin, centre, tilt }: Omit<HeadLines, 'crown'>): number {
  const face = chin - eyes
  const gap = Math.max(2, face * 0.04)
  const tops: number[] = []
  for (let across = -0.4; across <= 0.4; across += 0.05) {
    let top = eyes
    for (let y = eyes; y > eyes - CROWN_RANGE[1] * face && top - y < gap; y--) {
      const { x: column, y: row } = turnedPoint({ x: centre + across * face, y }, matte, tilt)
      const isIn = column >= 0 && column < matte.width && row >= 0 && row < matte.height
      if (isIn && (matte.data[Math.floor(row) * matte.width + Math.floor(column)] ?? 0) >= SOLID) top = y
    }
    tops.push(top)
  }
  const [, , third = eyes] = tops.toSorted((one, other) => one - other)
  return third
}

/**
 * The lines of a head by its 68 landmarks (iBUG 300-W). The crown is where the matte's hair ends, or, without a matte, where it lies by the
 * face's proportions; neither can be above the picture.
 */
export function headLines(landmarks: readonly Point[], picture: Sides, tilt: number, matte?: Matte): HeadLines {
  const upright = landmarks.map((point) => turnedPoint(point, picture, -tilt))
  const eyesAt = middleOf(upright.slice(36, 48))
  const jaw = upright.slice(0, 17)
  const eyes = eyesAt.y
  const chin = Math.max(eyes + 1, ...jaw.map(({ y }) => y))
  // A face that is turned to a side has its eyes off its head's middle, and its jaw on the other side of it.
  const centre = (eyesAt.x + middleOf([jaw[0] ?? eyesAt, jaw[16] ?? eyesAt]).x) / 2
  const [least, most] = CROWN_RANGE.map((part) => eyes - part * (chin - eyes)) as [number, number] // one for each of two
  const found = matte ? solidTop(matte, { eyes, chin, centre, tilt }) : eyes - CROWN * (chin - eyes)
  const crown = Math.max(0, Math.min(least, Math.max(most, found)))
  return { crown, eyes, chin, centre, tilt }
}

const percent = (at: number, side: number): number => Math.round(Math.max(0, Math.min(1, at / side)) * 1000) / 10

/** The lines as a person is shown them: in percent of the picture, in tenths. */
export function headOf({ crown, eyes, chin, centre, tilt }: HeadLines, { width, height }: Sides): Head {
  return { crown: percent(crown, height), eyes: percent(eyes, height), chin: percent(chin, height), centre: percent(centre, width), tilt }
}
