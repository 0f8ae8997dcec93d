import type { Cost } from '#shared/tools/define'

/** Computers a membership may be signed in on at once. */
export const COMPUTERS = 2
/** A computer not seen for so long gives its place up. */
export const IDLE_DAYS = 30
/** Computers that may be signed out for another, in so many days. */
export const SWAPS = { most: 10, days: 7 } as const

/** What counts against an allowance; tools that are free count nowhere. */
export type Counted = Exclude<Cost, 'free'>
/** How many of each are left, or allowed a day. */
export type Allowance = Readonly<Record<Counted, number>>

/** What a guest may do a day on one computer for nothing; the server's environment may say otherwise. */
export const guestAllowance: Allowance = { image: 100, ai: 5, document: 5 }
/** Guests of one address together, times the allowance of one: an office shares an address. */
export const GUESTS_AN_ADDRESS = 5
/** Pages of a document that a guest may have converted. */
export const GUEST_DOCUMENT_PAGES = 10

/** What the specification says a lifetime membership has left, besides being for ever. */
export const FOREVER_COUNT = 999_999
/** Above this the panel says "unlimited"; a display rule only. */
const UNLIMITED_ABOVE = 1000

/** What is left, as the header's panel shows it. */
export function remainingText({ cvtnumRelRemain, cvtnumNoAiRemain }: { cvtnumRelRemain: number; cvtnumNoAiRemain: number }): string {
  return cvtnumNoAiRemain > UNLIMITED_ABOVE ? '不限图片压缩张数' : `${cvtnumRelRemain + cvtnumNoAiRemain} 次`
}
