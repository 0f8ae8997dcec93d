/** Letters at whose places in GBK's row A0 Founder's typesetting programs put their italics (犌犕犜 for GMT). */
export const founderLetters: ReadonlyMap<string, string> = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((letter) => [
    new TextDecoder('gbk').decode(Uint8Array.of(0xa0, 0x80 + letter.charCodeAt(0))),
    letter,
  ]),
)
