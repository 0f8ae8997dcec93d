import type { ToolId } from '#shared/tools/index'

/** A job on this computer that is to be paid for; each of its files is a unit. */
export interface Charge {
  readonly jobId: string
  readonly units: number
}

/** How a job ended, for who pays for it. */
export type Settlement = 'committed' | 'released'

/** Who pays for jobs on this computer: the server's ledger, or a member's allowance for days without a network. */
export interface Quota {
  /**
   * Sets the cost of jobs aside, of the first ones as far as there is something to pay with; the ids of those that are paid for.
   * Asked again for the same jobs it answers the same. Throws AppError `offline.guest` for guests and `offline.over` for members whose
   * allowance has ended, where the server can't be reached.
   */
  reserve(tool: ToolId, options: unknown, charges: readonly Charge[]): Promise<ReadonlySet<string>>
  /** Notes how a job ended; the server hears of it when it can be reached, also after a restart. */
  settle(jobId: string, settlement: Settlement): Promise<void>
}
