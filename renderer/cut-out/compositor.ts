import type { Look } from './look.ts'
import { around, boxOf, cutPart, layPart, overlap, strokeWithin, wholeOf, widened } from '../stage/window.ts'
import { blurReach } from '#shared/matte/blur'
import { adjustEdges } from '#shared/matte/edges'
import { trimFrame } from '#shared/matte/framing'
import type { Matte } from '#shared/matte/matte'
import { paintStrokes } from '#shared/matte/paint'
import { dropShadow } from '#shared/matte/shadow'
import type { Rect, Size } from '#shared/resize'
import type { Stroke } from '#shared/strokes'

/** What is composed, all of one size; pictures as RGBA. */
export interface Planes extends Size {
  readonly source: Uint8ClampedArray
  readonly foreground: Uint8ClampedArray
  readonly matte: Uint8Array
  /** Their size as a part of the whole picture's. */
  readonly scale: number
}

/** All that decides what is seen. */
export interface Scene {
  readonly strokes: readonly Stroke[]
  readonly look: Look
}

/** Pixels that changed; their place is from the picture's upper left corner, beyond which a crop with a margin may reach. */
export interface Patch extends Rect {
  /** RGBA. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
  /** What the result will hold. */
  readonly frame: Rect
}

/** Paints what stands behind the subject of a matte on this part of the picture, as opaque RGBA; undefined where nothing does. */
export type PaintGround = (background: Look['background'], frame: Rect, matte: Matte) => Uint8ClampedArray | undefined

interface Ground {
  readonly background: Look['background']
  readonly frame: Rect
  readonly pixels: Uint8ClampedArray | undefined
}

const NO_STROKES: readonly Stroke[] = []
const isSameRect = (one: Rect, other: Rect): boolean =>
  one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height

/** A cut-out at preview size as it changes: each change costs the pixels it reaches, not the picture. */
export class Compositor {
  readonly #planes: Planes
  readonly #paintGround: PaintGround
  /** The matte with the strokes, and that with its edges adjusted. */
  readonly #painted: Matte
  readonly #edged: Matte
  /** Where a stroke that is not finished has been laid on `#edged`. */
  #liveBox: Rect | undefined
  #livePoints = 0
  #scene: Scene | undefined
  #ground: Ground
  #shade: Matte | undefined

  constructor(planes: Planes, paintGround: PaintGround) {
    const { width, height, matte } = planes
    this.#planes = planes
    this.#paintGround = paintGround
    this.#painted = { width, height, data: matte.slice() }
    this.#edged = { width, height, data: matte.slice() }
    this.#ground = { background: { by: 'transparent' }, frame: wholeOf(planes), pixels: undefined }
  }

  /** Shows a scene; undefined where nothing of it changed. */
  show(scene: Scene): Patch | undefined {
    const before = this.#scene
    this.#scene = scene
    const stroked = around(this.#restroke(before?.strokes ?? NO_STROKES, scene.strokes), this.#liveBox)
    this.#liveBox = undefined
    this.#livePoints = 0
    const hasNewEdges = before?.look.feather !== scene.look.feather || before.look.shift !== scene.look.shift
    const edged = this.#adjust(this.#painted, hasNewEdges ? wholeOf(this.#planes) : stroked)
    const isAllNew = this.#setStage(scene.look, before?.look, edged !== undefined)
    if (isAllNew || before?.look.decontaminate !== scene.look.decontaminate) return this.#compose(this.#board())
    return edged && this.#compose(edged)
  }

  /** Everything again, with a background that has come or gone meanwhile. */
  repaint(): Patch | undefined {
    if (!this.#scene) return undefined
    const { background, frame } = this.#ground
    this.#ground = { background, frame, pixels: this.#paintGround(background, frame, this.#edged) }
    return this.#compose(this.#board())
  }

  /** Shows a stroke under way over the scene, all of it so far; its shadow and the crop follow when it is done. */
  paint(stroke: Stroke): Patch | undefined {
    // Whatever was painted before stays as it is: a stroke's pixels are as strong as its nearest point makes them.
    const added = { ...stroke, points: stroke.points.slice(Math.max(0, this.#livePoints - 2)) }
    const box = boxOf(added, this.#planes)
    if (!box) return undefined
    const place = widened(box, 2 * this.#edgeReach(), this.#planes) ?? box
    const part = paintStrokes(cutPart(this.#painted, place), [strokeWithin(stroke, place, this.#planes)])
    this.#liveBox = around(box, this.#liveBox)
    this.#livePoints = stroke.points.length
    return this.#compose(this.#adjustPart(part, place, box))
  }

  /** What stands behind the subject, its shadow included: RGBA. */
  behind(box: Rect): Uint8ClampedArray<ArrayBuffer> {
    const pixels = new Uint8ClampedArray(box.width * box.height * 4)
    this.#layGround(box, pixels)
    const inside = overlap(box, wholeOf(this.#planes))
    if (inside && this.#shade) this.#layShade(this.#shade, inside, box, pixels)
    return pixels
  }

  /** Brings the matte from one list of strokes to another; where it changed. */
  #restroke(before: readonly Stroke[], strokes: readonly Stroke[]): Rect | undefined {
    let same = 0
    while (same < before.length && before[same] === strokes[same]) same++
    const changed = [...before.slice(same), ...strokes.slice(same)]
    const box = changed.reduce<Rect | undefined>((sum, stroke) => around(sum, boxOf(stroke, this.#planes)), undefined)
    if (!box) return undefined
    const isMore = same === before.length
    const { width, height, matte } = this.#planes
    const under = cutPart(isMore ? this.#painted : { width, height, data: matte }, box)
    const added = isMore ? strokes.slice(same) : strokes
    const part = paintStrokes(
      under,
      added.map((stroke) => strokeWithin(stroke, box, this.#planes)),
    )
    layPart(this.#painted, part, box, box)
    return box
  }

  /** How far a change of the matte reaches through its edges, in pixels. */
  #edgeReach(): number {
    const { feather = 0, shift = 0 } = this.#scene?.look ?? {}
    const { scale } = this.#planes
    return Math.ceil(Math.abs(shift) * scale) + Math.ceil(blurReach((feather * scale) / 2)) + (feather === 0 && shift === 0 ? 0 : 1)
  }

  #adjust(painted: Matte, box: Rect | undefined): Rect | undefined {
    if (!box) return undefined
    const place = widened(box, 2 * this.#edgeReach(), this.#planes) ?? box
    return this.#adjustPart(cutPart(painted, place), place, box)
  }

  /** Adjusts the edges within `place`, and keeps what a change within `box` reaches. */
  #adjustPart(part: Matte, place: Rect, box: Rect): Rect {
    const { feather = 0, shift = 0 } = this.#scene?.look ?? {}
    const reached = widened(box, this.#edgeReach(), this.#planes) ?? box
    layPart(this.#edged, adjustEdges(part, { feather, shift, scale: this.#planes.scale }), place, reached)
    return reached
  }

  /** Shadow, crop and background; whether any of them changed. */
  #setStage(look: Look, before: Look | undefined, isEdged: boolean): boolean {
    const { shadow, background } = look
    const hasShadow = shadow.by === 'drop'
    const isShadowNew = shadow !== before?.shadow || (hasShadow && isEdged)
    const longerSide = Math.max(this.#planes.width, this.#planes.height)
    if (isShadowNew) this.#shade = hasShadow ? dropShadow(this.#edged, shadow, longerSide) : undefined
    const trim = { margin: look.margin, isConfined: background.by === 'original', ...(hasShadow && { shadow }) }
    const frame = look.trim ? trimFrame(this.#edged, trim) : wholeOf(this.#planes)
    // The picture's own ground is blurred without its subject.
    const isGroundNew =
      background !== this.#ground.background || !isSameRect(frame, this.#ground.frame) || (background.by === 'original' && isEdged)
    if (isGroundNew) this.#ground = { background, frame, pixels: this.#paintGround(background, frame, this.#edged) }
    return isShadowNew || isGroundNew || before === undefined
  }

  /** All there is to see: the picture, and what the result has beyond it. */
  #board(): Rect {
    return around(wholeOf(this.#planes), this.#ground.frame) ?? wholeOf(this.#planes)
  }

  #compose(box: Rect): Patch {
    const pixels = this.behind(box)
    const inside = overlap(box, wholeOf(this.#planes))
    if (inside) this.#laySubject(inside, box, pixels)
    return { ...box, pixels, frame: this.#ground.frame }
  }

  #layGround(box: Rect, pixels: Uint8ClampedArray): void {
    const { frame, pixels: ground } = this.#ground
    const shared = overlap(box, frame)
    if (!ground || !shared) return
    for (let y = shared.top; y < shared.top + shared.height; y++) {
      const from = 4 * ((y - frame.top) * frame.width + shared.left - frame.left)
      pixels.set(ground.subarray(from, from + 4 * shared.width), 4 * ((y - box.top) * box.width + shared.left - box.left))
    }
  }

  #layShade(shade: Matte, inside: Rect, box: Rect, pixels: Uint8ClampedArray): void {
    for (let y = inside.top; y < inside.top + inside.height; y++) {
      let to = 4 * ((y - box.top) * box.width + inside.left - box.left)
      let from = y * shade.width + inside.left
      for (let x = 0; x < inside.width; x++, to += 4) layOver(pixels, to, shade.data[from++] ?? 0, 0, 0, 0)
    }
  }

  #laySubject(inside: Rect, box: Rect, pixels: Uint8ClampedArray): void {
    const { source, foreground, width } = this.#planes
    const colours = this.#scene?.look.decontaminate === false ? source : foreground
    for (let y = inside.top; y < inside.top + inside.height; y++) {
      let to = 4 * ((y - box.top) * box.width + inside.left - box.left)
      let from = y * width + inside.left
      for (let x = 0; x < inside.width; x++, to += 4, from++) {
        const alpha = this.#edged.data[from] ?? 0
        if (alpha > 0) layOver(pixels, to, alpha, colours[4 * from] ?? 0, colours[4 * from + 1] ?? 0, colours[4 * from + 2] ?? 0)
      }
    }
  }
}

/** Source-over of one pixel (Porter and Duff), neither premultiplied. */
export function layOver(pixels: Uint8ClampedArray, at: number, alpha: number, red: number, green: number, blue: number): void {
  const under = pixels[at + 3] ?? 0
  const below = (under * (255 - alpha)) / 255
  const sum = alpha + below
  if (sum === 0) return
  const share = alpha / sum
  pixels[at] = red * share + (pixels[at] ?? 0) * (1 - share)
  pixels[at + 1] = green * share + (pixels[at + 1] ?? 0) * (1 - share)
  pixels[at + 2] = blue * share + (pixels[at + 2] ?? 0) * (1 - share)
  pixels[at + 3] = sum
}
