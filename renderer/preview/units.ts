/** Office counts lengths in English metric units, of which a point has 12,700. */
export const EMU_TO_POINTS = 1 / 12_700

/** A length of so many points, for a style. */
export const pt = (points: number): string => `${points}pt`
