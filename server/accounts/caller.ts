import type { ComputerKind } from './slots.ts'

/** Who calls: the identity behind a session, and the computer it is on. */
export interface Caller {
  readonly identityId: string
  readonly deviceId: string
  readonly kind: ComputerKind
  /** Of the session, to tie the XSRF token to. */
  readonly tokenHash: string
  /** The guest this browser was before it signed in. */
  readonly guestId: string | null
}

/** Whose jobs a caller may see: those made before signing in on this browser are still this person's. */
export const ownersOf = ({ identityId, guestId }: Caller): readonly string[] => (guestId === null ? [identityId] : [identityId, guestId])
