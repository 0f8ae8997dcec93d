/** What an address says that a sign-in at WeChat came back to. */
export interface Returned {
  readonly openid: string
  readonly nickname: string
  readonly headimgurl: string
  readonly ticket: string
}

const LONGEST_NAME = 64
/** Control characters, and those that turn the direction of what stands after them. */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Reads what WeChat's way back brought, by the specification's names. */
export function returnedFrom(search: string): Returned {
  const query = new URLSearchParams(search)
  const value = (name: string): string => query.get(name) ?? ''
  return {
    openid: value('openid'),
    nickname: [...value('nickname').replace(UNSEEN, '')].slice(0, LONGEST_NAME).join(''),
    headimgurl: value('headimgurl'),
    ticket: value('ticket'),
  }
}
