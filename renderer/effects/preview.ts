import { rasterSize, reduced, tilesOf, underneath, type Window } from './raster.ts'
import type { Options } from '../state/settings.ts'
import type { Effect, Rgb, Source } from '#shared/effects/effect'
import { applyTo } from '#shared/effects/parts'
import type { Rect } from '#shared/resize'

/** A part of a window with its effect, in the window's raster. */
export interface Tile extends Rgb, Rect {}

/** What comes of a bit of work. */
export type Step =
  /** Whether the effect finds something to do. */
  | { readonly kind: 'measured'; readonly isNothing: boolean; readonly isLocal: boolean }
  | { readonly kind: 'tile'; readonly tile: Tile }
  /** What is shown by now will do while somebody still slides. */
  | { readonly kind: 'pause' }

/** How long a tile may take, so that a change is heard of in time. */
const TILE_MS = 60
/** Pixels of the picture under the first tile, before it is known how long one takes, and under any. */
const FIRST_PIXELS = 128 ** 2
const MOST_PIXELS = 1 << 20
const LEAST_PIXELS = 48 ** 2

interface Measured {
  readonly text: string
  /** Undefined where there is nothing to do. */
  readonly measure: unknown
}

/** A picture under an effect, of which parts are made as they are looked at: by the functions the engine uses, measured on the whole. */
export class Preview {
  readonly #effect: Effect<never, unknown>
  readonly #picture: Rgb
  readonly #source: Source
  readonly #clock: () => number
  #measured: Measured | undefined
  #msPerPixel: number | undefined
  /** The whole at the raster it was last looked at. */
  #small: { readonly perPixel: number; readonly picture: Rgb } | undefined

  constructor(effect: Effect<never, unknown>, picture: Rgb, source: Source, clock: () => number = () => performance.now()) {
    this.#effect = effect
    this.#picture = picture
    this.#source = source
    this.#clock = clock
  }

  /** All that is to be done to show a window under some options, bit by bit; whoever asks may stop after any. */
  *steps(options: Options, window: Window): Generator<Step> {
    const measure = this.#measure(options)
    const reach = measure === undefined ? 0 : this.#effect.reach(measure)
    yield { kind: 'measured', isNothing: measure === undefined, isLocal: reach > 0 }
    if (measure === undefined) return
    const isFar = window.perPixel > 1
    // Where each pixel stands alone a small copy shows at once what the whole will look like; anything finer would look otherwise on it.
    if (isFar && reach === 0) {
      const tile = this.#draft(options, window)
      if (tile) yield { kind: 'tile', tile }
      yield { kind: 'pause' }
    }
    yield* this.#tiles(measure, window)
  }

  #measure(options: Options): unknown {
    const text = JSON.stringify(options)
    if (this.#measured?.text !== text) {
      this.#measured = { text, measure: this.#effect.measure(this.#picture, options as never, this.#source) } // its own options: the caller checked them
    }
    return this.#measured.measure
  }

  #draft(options: Options, window: Window): Tile | undefined {
    const { perPixel } = window
    if (this.#small?.perPixel !== perPixel) {
      const raster = { left: 0, top: 0, ...rasterSize(this.#picture, perPixel) }
      this.#small = { perPixel, picture: reduced(this.#picture, raster, this.#picture, perPixel) }
    }
    const small = this.#small.picture
    const measure = this.#effect.measure(small, options as never, {}) // a file's tables say nothing of a copy
    return measure === undefined ? undefined : { ...window, ...applyTo(this.#effect, small, measure, window) }
  }

  *#tiles(measure: unknown, window: Window): Generator<Step> {
    const { perPixel } = window
    // Larger ones once it is known how long they take; what is done by then stays done.
    const first = tilesOf(window, this.#sideOf(perPixel))[0]
    if (!first) return
    yield { kind: 'tile', tile: this.#tile(measure, first, perPixel) }
    for (const place of tilesOf(window, this.#sideOf(perPixel))) yield { kind: 'tile', tile: this.#tile(measure, place, perPixel) }
  }

  #sideOf(perPixel: number): number {
    const pixels = this.#msPerPixel === undefined ? FIRST_PIXELS : TILE_MS / this.#msPerPixel
    return Math.max(1, Math.round(Math.sqrt(Math.min(MOST_PIXELS, Math.max(LEAST_PIXELS, pixels))) / perPixel))
  }

  #tile(measure: unknown, place: Rect, perPixel: number): Tile {
    const begun = this.#clock()
    const part = underneath(place, this.#picture, perPixel)
    const result = applyTo(this.#effect, this.#picture, measure, part)
    const tile = reduced(result, place, this.#picture, perPixel)
    this.#msPerPixel = (this.#clock() - begun) / (part.width * part.height)
    return { ...place, ...tile }
  }
}
