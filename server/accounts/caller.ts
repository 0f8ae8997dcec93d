import type { ComputerKind } from './slots.ts'

/** Who calls: the identity behind a session, and the computer it is on. */
export interface Caller {
  readonly identityId: string
  readonly deviceId: string
  readonly kind: ComputerKind
  /** What the browser is by its own account; a client says its name itself. */
  readonly deviceName: string | undefined
  /** Of the session, to tie the XSRF token to. */
  readonly tokenHash: string
  /** The guest this browser was before it signed in. */
  readonly guestId: string | null
}

/** Whose jobs a caller may see. */
export type Owners = readonly [identityId: string, ...guest: string[]]

/** What a browser made before it signed in is still its own: nobody loses files by signing in. */
export const ownersOf = ({ identityId, guestId }: Caller): Owners => (guestId === null ? [identityId] : [identityId, guestId])
