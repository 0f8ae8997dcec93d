import type { UpdateState } from '#shared/desktop'

/** Looking for newer versions. */
export interface Updates {
  readonly state: UpdateState
  check(): Promise<UpdateState>
  download(): Promise<UpdateState>
  install(): void
}

const idle: UpdateState = { at: 'idle' }

/** Of a client that has nowhere to look. */
export const noUpdates: Updates = {
  state: idle,
  check: () => Promise.resolve(idle),
  download: () => Promise.resolve(idle),
  install: () => {},
}
