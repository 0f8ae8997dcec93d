import { Tensor } from 'onnxruntime-node'
import { shippedEnlarger } from './enlarger-model.ts'
import { shippedPath } from './installed.ts'
import { sessionOf } from './session.ts'
import type { Doubler } from '#shared/effects/upscale/enlarge'
import type { Planes } from '#shared/effects/upscale/planes'

/** Pixels around a part that the net needs and does not answer for: half of what it sees. */
const MARGIN = 10

/** The net that ships, ready to double pictures. Throws `model.missing`. */
export async function openDoubler(): Promise<Doubler> {
  const session = await sessionOf(await shippedPath(shippedEnlarger))
  const double = async (small: Planes): Promise<Planes> => {
    const { width, height } = small[0]
    const image = new Float32Array(3 * width * height)
    for (const [colour, plane] of small.entries()) image.set(plane.data, colour * width * height)
    const { enlarged } = await session.run({ image: new Tensor('float32', image, [1, 3, height, width]) })
    if (!(enlarged?.data instanceof Float32Array)) throw new Error('a net that does not answer in 32-bit floats')
    const [wide, high] = [2 * (width - 2 * MARGIN), 2 * (height - 2 * MARGIN)]
    const answer = enlarged.data
    const planeOf = (colour: number) => ({
      data: answer.subarray(colour * wide * high, (colour + 1) * wide * high),
      width: wide,
      height: high,
    })
    return [planeOf(0), planeOf(1), planeOf(2)]
  }
  return { margin: MARGIN, double }
}
