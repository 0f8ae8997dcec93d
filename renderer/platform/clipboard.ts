/** Copies text. Rejects where the page may not: over plain http, or when somebody has forbidden it. */
export const copyText = (text: string): Promise<void> =>
  window.isSecureContext ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))
