import type { ErrorCode } from '#shared/errors/codes'
import type { FormatId } from '#shared/formats'
import type { Fields, ValuesOf } from '#shared/tools/field'

/** The tab a page stands under. */
export type Section = 'compress' | 'convert' | 'edit' | 'effect' | 'transparent' | 'matting' | 'pdf'

/** What a job weighs: sets its deadline, its worker queue and whether it takes a credit. */
export type Cost = 'image' | 'ai' | 'document' | 'free'

/** A page people can open: an address, a menu line, and the options it starts with. */
export interface Page<F extends Fields> {
  readonly path: `/${string}`
  readonly label: string
  readonly preset?: Partial<ValuesOf<F>>
  /** Whether the side menu lists it; an unlisted page still opens by address. */
  readonly inMenu: boolean
}

/** A tool: everything the product says of it, once. */
export interface ToolSpec<Id extends string, F extends Fields> {
  readonly id: Id
  readonly section: Section
  readonly label: string
  readonly accepts: readonly FormatId[]
  readonly options: F
  /** A rule between options that no single field can check; names the failure. */
  readonly conflict?: (options: ValuesOf<F>) => (ErrorCode & 'options.range-reversed') | undefined
  readonly cost: Cost
  readonly runsOn: readonly ('cloud' | 'desktop')[]
  readonly pages: readonly [Page<F>, ...Page<F>[]]
}

/** Checks a definition's types and keeps them exact. */
export const defineTool = <const Id extends string, const F extends Fields>(spec: ToolSpec<Id, F>): ToolSpec<Id, F> => spec
