import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Compositor, type Patch, type Planes, type Scene } from '#renderer/cut-out/compositor'
import { lookOf, type Look } from '#renderer/cut-out/look'
import { adjustEdges } from '#shared/matte/edges'
import { paintStrokes } from '#shared/matte/paint'
import type { Stroke } from '#shared/strokes'

const WIDTH = 90
const HEIGHT = 60
const plain: Look = lookOf({})

/** A red source, a green foreground, and a disc as subject. */
function planes(): Planes {
  const colours = (red: number, green: number) =>
    Uint8ClampedArray.from({ length: WIDTH * HEIGHT * 4 }, (_, n) => [red, green, 0, 255][n % 4] ?? 0)
  const matte = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, n) =>
    Math.hypot((n % WIDTH) - 45, Math.floor(n / WIDTH) - 30) < 15 ? 255 : 0,
  )
  return { width: WIDTH, height: HEIGHT, source: colours(200, 0), foreground: colours(0, 200), matte, scale: 0.5 }
}

const blue = (_: unknown, { width, height }: { width: number; height: number }): Uint8ClampedArray =>
  Uint8ClampedArray.from({ length: width * height * 4 }, (__, n) => (n % 4 >= 2 ? 255 : 0))

/** A canvas that patches are laid on, as the page's is. */
class Screen {
  readonly pixels = new Uint8ClampedArray(WIDTH * HEIGHT * 4)

  lay(patch: Patch | undefined): void {
    if (!patch) return
    for (let y = 0; y < patch.height; y++) {
      for (let x = 0; x < patch.width; x++) {
        const [left, top] = [patch.left + x, patch.top + y]
        if (left < 0 || top < 0 || left >= WIDTH || top >= HEIGHT) continue
        const from = 4 * (y * patch.width + x)
        this.pixels.set(patch.pixels.subarray(from, from + 4), 4 * (top * WIDTH + left))
      }
    }
  }

  at(x: number, y: number): number[] {
    return [...this.pixels.subarray(4 * (y * WIDTH + x), 4 * (y * WIDTH + x) + 4)]
  }
}

const part = fc.double({ min: -0.2, max: 1.2, noNaN: true })
const anyStroke: fc.Arbitrary<Stroke> = fc.record({
  mode: fc.constantFrom('keep' as const, 'erase' as const),
  size: fc.double({ min: 0.02, max: 0.4, noNaN: true }),
  hardness: fc.double({ min: 0, max: 1, noNaN: true }),
  points: fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 5 }).map((points) => points.flat()),
})

const alphaOf = ({ pixels }: Screen): number[] => Array.from({ length: WIDTH * HEIGHT }, (_, n) => pixels[4 * n + 3] ?? NaN)

describe('a cut-out composed bit by bit', () => {
  test('shows the same after any painting, undoing and changing of edges as all of it at once', () => {
    const step = fc.oneof(
      fc.record({ paint: anyStroke }),
      fc.constant({ undo: true }),
      fc.record({ feather: fc.constantFrom(0, 4), shift: fc.constantFrom(-6, 0, 5) }),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const compositor = new Compositor(planes(), () => undefined)
        const screen = new Screen()
        const strokes: Stroke[] = []
        let look = plain
        screen.lay(compositor.show({ strokes: [], look }))
        for (const one of steps) {
          if ('paint' in one) {
            // As the hand moves: ever more of the stroke.
            for (let end = 2; end <= one.paint.points.length; end += 2)
              screen.lay(compositor.paint({ ...one.paint, points: one.paint.points.slice(0, end) }))
            strokes.push(one.paint)
          } else if ('undo' in one) strokes.pop()
          else look = { ...plain, ...one }
          screen.lay(compositor.show({ strokes: strokes.slice(), look }))
        }
        const { matte, width, height, scale } = planes()
        const whole = adjustEdges(paintStrokes({ data: matte, width, height }, strokes), {
          feather: look.feather,
          shift: look.shift,
          scale,
        })
        const seen = alphaOf(screen)
        // A part has another origin, so that a share of a pixel may be rounded the other way.
        expect(seen.every((alpha, n) => Math.abs(alpha - (whole.data[n] ?? NaN)) <= 2)).toBe(true)
      }),
      { seed: 3, numRuns: 80 },
    )
  })

  test('takes a stroke back that was not finished', () => {
    const compositor = new Compositor(planes(), () => undefined)
    const screen = new Screen()
    const scene: Scene = { strokes: [], look: plain }
    screen.lay(compositor.show(scene))
    const before = alphaOf(screen)
    screen.lay(compositor.paint({ mode: 'erase', size: 0.3, hardness: 1, points: [0.5, 0.5] }))
    expect(screen.at(45, 30)[3]).toBe(0)
    screen.lay(compositor.show(scene))
    expect(alphaOf(screen)).toEqual(before)
  })

  test('lays the clean colours, or the stained ones, over the background', () => {
    const compositor = new Compositor(planes(), blue)
    const screen = new Screen()
    const look: Look = { ...plain, background: { by: 'colour', colour: '#0000ff' } }
    screen.lay(compositor.show({ strokes: [], look }))
    expect(screen.at(45, 30)).toEqual([0, 200, 0, 255])
    expect(screen.at(2, 2)).toEqual([0, 0, 255, 255])
    screen.lay(compositor.show({ strokes: [], look: { ...look, decontaminate: false } }))
    expect(screen.at(45, 30)).toEqual([200, 0, 0, 255])
  })

  test('casts a shadow on nothing as black that lets through, and none under the subject', () => {
    const compositor = new Compositor(planes(), () => undefined)
    const screen = new Screen()
    const shadow = { by: 'drop', opacity: 50, spread: 0, distance: 20, direction: 90 } as const
    screen.lay(compositor.show({ strokes: [], look: { ...plain, shadow } }))
    // 20 % of the longer side to the right is 18 px: there is shadow behind the disc's right rim, not left of it.
    const [red, green, , alpha] = screen.at(70, 30)
    expect([red, green]).toEqual([0, 0])
    expect(Math.abs((alpha ?? 0) - 128)).toBeLessThanOrEqual(2)
    expect(screen.at(20, 30)[3]).toBe(0)
    expect(screen.at(45, 30)).toEqual([0, 200, 0, 255])
  })

  test('tells the frame of a crop with its margin, and the background fills it beyond the picture', () => {
    const compositor = new Compositor(planes(), blue)
    const look: Look = { ...plain, background: { by: 'colour', colour: '#0000ff' }, trim: true, margin: 50 }
    const patch = compositor.show({ strokes: [], look })
    // The disc is 29 px wide, from 31 and 16; half of that is left around it.
    expect(patch?.frame).toEqual({ left: 16, top: 1, width: 59, height: 59 })
    expect(patch?.width).toBe(WIDTH)
    expect(compositor.show({ strokes: [], look: { ...look, margin: 90 } })).toMatchObject({ left: 0, top: -10, width: WIDTH, height: 81 })
  })
})
