/** Red, green and blue, 0..255, of `#rrggbb`. */
export const levelsOf = (colour: string): readonly [red: number, green: number, blue: number] => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
]

/** Red, green and blue, 0..255, as `#rrggbb`. */
export const colourOfLevels = (levels: readonly number[]): string =>
  `#${levels.map((level) => Math.round(level).toString(16).padStart(2, '0')).join('')}`
