import { expect, test } from 'vitest'
import { randomFrom } from '../fixtures/pictures.ts'
import { fourier } from '#shared/effects/math/fft'

const random = randomFrom(9)
const noise = (count: number): Float32Array => Float32Array.from({ length: count }, () => 255 * random() - 100)

test.each([4, 16])('squares of %i to frequencies, by the definition, and back', (size) => {
  const { forward, inverse } = fourier(size)
  const [re, im] = [noise(size * size), noise(size * size)]
  const [u, v] = [re.slice(), im.slice()]
  forward(u, v)
  for (let at = 0; at < size * size; at++) {
    let [real, imaginary] = [0, 0]
    for (let from = 0; from < size * size; from++) {
      const turn = (-2 * Math.PI * ((from % size) * (at % size) + Math.floor(from / size) * Math.floor(at / size))) / size
      real += (re[from] ?? 0) * Math.cos(turn) - (im[from] ?? 0) * Math.sin(turn)
      imaginary += (re[from] ?? 0) * Math.sin(turn) + (im[from] ?? 0) * Math.cos(turn)
    }
    expect(Math.hypot(real - (u[at] ?? 0), imaginary - (v[at] ?? 0))).toBeLessThan(0.01)
  }
  inverse(u, v)
  for (let at = 0; at < size * size; at++) expect(Math.hypot((re[at] ?? 0) - (u[at] ?? 0), (im[at] ?? 0) - (v[at] ?? 0))).toBeLessThan(1e-3)
})
