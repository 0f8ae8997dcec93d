import { startClientState } from './client-state.ts'
import { inClient } from './words.ts'
import { speak } from '../words.ts'

/** Makes of the page the client's window: before it is first shown. */
export function beginClient(): void {
  speak(inClient)
  document.documentElement.dataset['client'] = ''
  startClientState()
}
