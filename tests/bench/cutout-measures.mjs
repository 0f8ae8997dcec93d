/** @typedef {import('./cutout-scenes.mjs').Scene} Scene */

/** Smoothed differences (Gaussian of 1.4 px, as the alpha matting benchmark of Rhemann et al. 2009 takes them) in both directions. */
function gradients(/** @type {Uint8Array} */ alpha, /** @type {number} */ width, /** @type {number} */ height) {
  const reach = 4
  const offsets = Array.from({ length: 2 * reach + 1 }, (_, at) => at - reach)
  const bell = offsets.map((x) => Math.exp((-x * x) / (2 * 1.4 ** 2)))
  const sum = bell.reduce((total, value) => total + value, 0)
  const smooth = bell.map((value) => value / sum)
  const slope = offsets.map((x, at) => (-x / 1.4 ** 2) * (smooth[at] ?? 0))
  const convolved = (
    /** @type {Float32Array} */ plane,
    /** @type {number[]} */ kernel,
    /** @type {number} */ step,
    /** @type {number} */ side,
  ) => {
    const result = new Float32Array(plane.length)
    for (let at = 0; at < plane.length; at++) {
      const place = step === 1 ? at % width : Math.floor(at / width)
      let value = 0
      for (let tap = -reach; tap <= reach; tap++) {
        const from = at + (Math.min(side - 1, Math.max(0, place + tap)) - place) * step
        value += (kernel[tap + reach] ?? 0) * (plane[from] ?? 0)
      }
      result[at] = value
    }
    return result
  }
  const plane = Float32Array.from(alpha, (value) => value / 255)
  return [
    convolved(convolved(plane, slope, 1, width), smooth, width, height),
    convolved(convolved(plane, smooth, 1, width), slope, width, height),
  ]
}

/** Pixels near which the true alpha is neither nothing nor all, in a distance of half a percent of the longer side. */
export function edgeBand(/** @type {Uint8Array} */ alpha, /** @type {number} */ width, /** @type {number} */ height) {
  const band = new Uint8Array(alpha.length)
  const reach = Math.max(2, Math.round(Math.max(width, height) / 200))
  for (let at = 0; at < alpha.length; at++) {
    const value = alpha[at] ?? 0
    const isEdge =
      (value > 12 && value < 243) ||
      Math.abs(value - (alpha[at + 1] ?? value)) > 127 ||
      Math.abs(value - (alpha[at + width] ?? value)) > 127
    if (!isEdge) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row++) {
      band.fill(1, row * width + Math.max(0, x - reach), row * width + Math.min(width, x + reach + 1))
    }
  }
  return band
}

/**
 * What an alpha is worth against the true one: sum of absolute differences and gradient error in thousands, mean squared errors (of 0..1) of
 * the picture and of its edge band, intersection over union.
 */
export function alphaErrors(/** @type {Scene} */ { alpha: truth, width, height }, /** @type {Uint8Array} */ alpha) {
  const band = edgeBand(truth, width, height)
  let [sad, mse, bandMse, banded, both, either] = [0, 0, 0, 0, 0, 0]
  for (let at = 0; at < truth.length; at++) {
    const [wanted, got] = [(truth[at] ?? 0) / 255, (alpha[at] ?? 0) / 255]
    const error = (got - wanted) ** 2
    sad += Math.abs(got - wanted)
    mse += error
    both += Math.min(wanted, got)
    either += Math.max(wanted, got)
    if (!band[at]) continue
    bandMse += error
    banded += 1
  }
  const [own, wanted] = [gradients(alpha, width, height), gradients(truth, width, height)]
  let gradient = 0
  for (let at = 0; at < truth.length; at++) {
    const size = (/** @type {Float32Array[]} */ planes) => Math.hypot(planes[0]?.[at] ?? 0, planes[1]?.[at] ?? 0)
    gradient += (size(own) - size(wanted)) ** 2
  }
  return { sad: sad / 1000, mse: mse / truth.length, gradient: gradient / 1000, band: bandMse / Math.max(1, banded), iou: both / either }
}

/** Mean squared error (of 0..1) of the subject's colours where its edge is: where the true alpha lies between 5 and 95 percent, weighted by it. */
export function colourError(/** @type {Scene} */ { alpha, colours }, /** @type {Uint8Array} */ estimated) {
  let [sum, weights] = [0, 0]
  for (let at = 0; at < alpha.length; at++) {
    const share = (alpha[at] ?? 0) / 255
    if (share < 0.05 || share > 0.95) continue
    weights += share
    for (let channel = 0; channel < 3; channel++) {
      sum += (share * (((estimated[3 * at + channel] ?? 0) - (colours[3 * at + channel] ?? 0)) / 255) ** 2) / 3
    }
  }
  return sum / Math.max(1e-9, weights)
}

/**
 * The same as it shows on a new background, where colours are laid on by their alpha: mean squared difference of alpha times colour, over all pixels that
 * are neither nothing nor all.
 */
export function shownColourError(/** @type {Scene} */ { alpha, colours }, /** @type {Uint8Array} */ estimated) {
  let [sum, count] = [0, 0]
  for (let at = 0; at < alpha.length; at++) {
    const share = (alpha[at] ?? 0) / 255
    if (share === 0 || share === 1) continue
    count += 1
    for (let channel = 0; channel < 3; channel++)
      sum += ((share * ((estimated[3 * at + channel] ?? 0) - (colours[3 * at + channel] ?? 0))) / 255) ** 2 / 3
  }
  return sum / Math.max(1, count)
}

/** How wide a subject's soft parts are: pixels whose true alpha lies between 5 and 95 percent, for each pixel of its outline. */
export function softWidth(/** @type {Scene} */ { alpha, width }) {
  let [soft, outline] = [0, 0]
  for (let at = 0; at < alpha.length; at++) {
    const share = (alpha[at] ?? 0) / 255
    if (share >= 0.05 && share <= 0.95) soft += 1
    for (const beside of [alpha[at + 1], alpha[at + width]]) if (beside !== undefined && beside > 127 !== share > 0.5) outline += 1
  }
  return soft / Math.max(1, outline)
}
