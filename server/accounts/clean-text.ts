/** What turns a text around, hides in it or belongs to no text. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A name somebody else gave, as it can be shown: one line, at most so many characters. */
export const cleanText = (given: string, most: number): string => [...given.replace(UNSEEN, '').trim()].slice(0, most).join('')
