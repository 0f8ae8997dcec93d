import { expect, it } from 'vitest'
import { fieldsIn, isOff, ownOptions } from '#renderer/effects/effect-draft'
import { Preview, type Step } from '#renderer/effects/preview'
import { rasterSize, reduced, tilesOf, underneath, type Window } from '#renderer/effects/raster'
import { windowOf } from '#renderer/effects/view-window'
import { centre, layOut } from '#renderer/ui/compare-geometry'
import type { Effect, Rgb } from '#shared/effects/effect'
import type { Rect } from '#shared/resize'
import { findPage } from '#shared/tools/index'

/** A picture without two pixels alike. */
const picture = (width: number, height: number): Rgb => ({
  data: Uint8Array.from({ length: width * height * 3 }, (_, n) => (n * 2654435761) >>> 24),
  width,
  height,
})

interface Given {
  readonly by: number
  readonly reach?: number
}

/** Takes the mean of a square around each pixel; `by` 0 asks for nothing. */
const square: Effect<never, Given> & { measured: number } = {
  measured: 0,
  measure: (_picture, options: Given) => {
    square.measured++
    return options.by === 0 ? undefined : options
  },
  reach: ({ by, reach }) => reach ?? by,
  apply: ({ data, width, height }, { by, reach }) => {
    if (reach === 0) return data.map((value) => 255 - value)
    const out = new Uint8Array(data.length)
    for (let n = 0; n < out.length; n++) {
      const [x, y] = [Math.floor(n / 3) % width, Math.floor(n / 3 / width)]
      let [sum, count] = [0, 0]
      for (let v = Math.max(0, y - by); v <= Math.min(height - 1, y + by); v++) {
        for (let u = Math.max(0, x - by); u <= Math.min(width - 1, x + by); u++, count++) sum += data[(v * width + u) * 3 + (n % 3)] ?? 0
      }
      out[n] = Math.round(sum / count)
    }
    return out
  },
}

const previewOf = (shown: Rgb, msPerCall = 0) => {
  let time = 0
  // Its options are its own.
  return new Preview(square as Effect<never, unknown>, shown, {}, () => (time += msPerCall))
}

/** The tiles of a window laid together. */
function laid(steps: Iterable<Step>, window: Window): { readonly data: Uint8Array; readonly tiles: readonly Rect[] } {
  const data = new Uint8Array(window.width * window.height * 3)
  const tiles: Rect[] = []
  for (const step of steps) {
    if (step.kind !== 'tile') continue
    const { tile } = step
    tiles.push(tile)
    for (let row = 0; row < tile.height; row++) {
      const from = row * tile.width * 3
      data.set(
        tile.data.subarray(from, from + tile.width * 3),
        ((tile.top - window.top + row) * window.width + tile.left - window.left) * 3,
      )
    }
  }
  return { data, tiles }
}

it.each([1, 1.7, 3])('what is looked at is what the whole picture would show there, one pixel for %f', (perPixel) => {
  const shown = picture(300, 200)
  const options: Given = { by: 2 }
  const all = { data: square.apply(shown, options, { left: 0, top: 0, whole: shown }), width: 300, height: 200 }
  const whole: Window = { left: 0, top: 0, ...rasterSize(shown, perPixel), perPixel }
  const expected = reduced(all, whole, shown, perPixel)
  const window: Window = { left: 11, top: 7, width: 70, height: 50, perPixel }
  // Slow, so that it comes in many tiles.
  const { data, tiles } = laid(previewOf(shown, 3000).steps({ ...options }, window), window)
  expect(tiles.length).toBeGreaterThan(4)
  for (let y = 0; y < window.height; y++) {
    const from = ((window.top + y) * expected.width + window.left) * 3
    expect(data.subarray(y * 210, y * 210 + 210)).toEqual(expected.data.subarray(from, from + 210))
  }
})

it('a picture is measured once for the same options, and what needs nothing is not made', () => {
  const preview = previewOf(picture(40, 40))
  const window: Window = { left: 0, top: 0, width: 40, height: 40, perPixel: 1 }
  square.measured = 0
  for (const left of [0, 1]) expect([...preview.steps({ by: 1 }, { ...window, left, width: 39 })].length).toBeGreaterThan(1)
  expect(square.measured).toBe(1)
  expect([...preview.steps({ by: 0 }, window)]).toEqual([{ kind: 'measured', isNothing: true, isLocal: false }])
})

it('where pixels stand alone a small copy is shown before the picture itself; elsewhere never', () => {
  const window: Window = { left: 0, top: 0, width: 20, height: 20, perPixel: 2 }
  const kinds = (options: object) => [...previewOf(picture(40, 40)).steps({ ...options }, window)].map(({ kind }) => kind)
  expect(kinds({ by: 1, reach: 0 }).slice(0, 4)).toEqual(['measured', 'tile', 'pause', 'tile'])
  expect(kinds({ by: 1 })).not.toContain('pause')
})

it('a raster’s pixels share none of the picture’s and leave none out', () => {
  const size = { width: 101, height: 67 }
  for (const perPixel of [1, 1.3, 2.5, 200]) {
    const raster = rasterSize(size, perPixel)
    const whole = underneath({ left: 0, top: 0, ...raster }, size, perPixel)
    expect(whole).toEqual({ left: 0, top: 0, ...size })
    let next = 0
    for (let left = 0; left < raster.width; left++) {
      const part = underneath({ left, top: 0, width: 1, height: 1 }, size, perPixel)
      expect(part.left).toBe(next)
      expect(part.width).toBeGreaterThan(0)
      next += part.width
    }
  }
})

it('tiles begin in the middle', () => {
  const [first] = tilesOf({ left: 100, top: 0, width: 90, height: 90 }, 30)
  expect(first).toEqual({ left: 130, top: 30, width: 30, height: 30 })
})

it('the window is what a stage shows, in as many pixels as are seen', () => {
  const size = { width: 4000, height: 3000 }
  const room = { width: 800, height: 500 }
  const fit = layOut(size, room, 'fit', centre, 1)
  const far = windowOf(fit, size, fit.scale)
  expect(far).toMatchObject({ left: 0, top: 0, width: 666, height: 500 })
  const close = windowOf(layOut(size, room, 1, centre, 1), size, 1)
  expect(close).toEqual({ left: 1600, top: 1250, width: 800, height: 500, perPixel: 1 })
  const larger = windowOf(layOut(size, room, 2, centre, 1), size, 2)
  expect(larger).toMatchObject({ width: 400, height: 250, perPixel: 1 })
})

it('a file keeps of its own only what differs from its page', () => {
  const common = { strength: { by: 'auto' }, fileName: '' }
  const own = { by: 'manual', amount: 70 }
  expect(ownOptions(undefined, common, { ...common, strength: own })).toEqual({ strength: own })
  expect(ownOptions({ strength: own, fileName: '甲' }, common, { strength: { by: 'auto' } })).toEqual({ fileName: '甲' })
  expect(ownOptions({ strength: own }, common, common)).toBeUndefined()
  expect([isOff({ strength: { by: 'manual', amount: 0 } }), isOff({ strength: own }), isOff({ strength: { by: 'auto' } })]).toEqual([
    true,
    false,
    false,
  ])
})

it('an editor shows what the form of its page shows', () => {
  const found = findPage('/effect/idenoise')
  expect(found && Object.keys(fieldsIn(found, {}))).toContain('strength')
})
