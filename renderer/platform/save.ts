/** Has the browser save what is at an address. */
export function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Saves text as a file. */
export function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  save(url, name)
  // The browser has taken the file up by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}
