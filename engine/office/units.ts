/** Points in twentieths, the unit of Word's lengths. */
export const twips = (points: number): number => Math.round(points * 20)

/** Points in English Metric Units, the unit of DrawingML's lengths. */
export const emu = (points: number): number => Math.round(points * 12_700)

/** `#rrggbb` as Office writes it. */
export const officeColour = (colour: string): string => colour.slice(1).toUpperCase()
