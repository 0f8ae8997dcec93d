import type { MenuCommand } from '#shared/desktop'

/** A key with what is held down beside it. */
export type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

/** What a key asks for, by the menu's own shortcuts; the page hears them first, and only from a key of its own may it open the system's dialogs. */
export function commandOf({ key, ctrlKey, shiftKey, altKey, metaKey }: Stroke): MenuCommand | undefined {
  if (!ctrlKey || altKey || metaKey) return undefined
  switch (key.toLowerCase()) {
    case 'o':
      return shiftKey ? 'open-folder' : 'open-files'
    case 'enter':
      return shiftKey ? undefined : 'start'
    case ',':
      return shiftKey ? undefined : 'settings'
    default:
      return undefined
  }
}
