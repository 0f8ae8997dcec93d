/** The median of numbers, of an even count the upper one; undefined of none. */
export const medianOf = (values: ArrayLike<number>): number | undefined => Float64Array.from(values).toSorted()[values.length >> 1]
