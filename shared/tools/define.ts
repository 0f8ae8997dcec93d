import type { ErrorCode } from '#shared/errors/codes'
import type { FormatId } from '#shared/formats'
import type { Fields, ValuesOf } from '#shared/tools/field'

/** The tab a page stands under. */
export type Section = 'compress' | 'convert' | 'edit' | 'effect' | 'transparent' | 'matting' | 'pdf'

/** What a job weighs: sets its deadline, its worker queue and whether it takes a credit. */
export type Cost = 'image' | 'ai' | 'document' | 'free'

/** Several options set by one click: `4K` is a width and a height. */
export interface Pick<F extends Fields> {
  readonly label: string
  readonly values: Partial<ValuesOf<F>>
}

/** A page people can open: an address, a menu line, and the options it starts with. */
export interface Page<F extends Fields> {
  readonly path: `/${string}`
  readonly label: string
  /** The tab it stands under, where that is not its tool's. */
  readonly section?: Section
  readonly preset?: Partial<ValuesOf<F>>
  /** The options its form shows, in this order; all of them where this is left out. The others keep their starting values. */
  readonly shows?: readonly (keyof F & string)[]
  /** Choices its form leaves out, by their option. */
  readonly leavesOut?: Readonly<Partial<Record<keyof F & string, readonly string[]>>>
  /** Sets of values offered for one click. */
  readonly picks?: readonly Pick<F>[]
  /** The formats its file dialog offers, where they are fewer than the tool takes. */
  readonly picksFiles?: readonly FormatId[]
  /** Whether the side menu lists it; an unlisted page still opens by address. */
  readonly inMenu: boolean
}

/** Failures that name two options which do not go together; their words need no data. */
export type OptionsConflict = ErrorCode &
  (
    | 'options.range-reversed'
    | 'options.size-twice'
    | 'options.size-missing'
    | 'options.side-missing'
    | 'options.head-marks'
    | 'options.jpeg-transparent'
  )

/** What is to be found in a picture when its subject is cut out. */
export type Subject = 'person' | 'goods' | 'general'

/** Where the colours of a photo without any come from: a model, another photo, or strokes alone. */
export type ColourSource = 'model' | 'reference' | 'none'

/** A second file that all jobs of a call share, a background picture for one. */
export interface Attachment<F extends Fields> {
  /** The variant that calls for it; on a command line a path in its place names the file. */
  readonly option: keyof F & string
  /** The case that needs it. */
  readonly by: string
  readonly label: string
  readonly accepts: readonly FormatId[]
}

/** A job for each file, or one job for all of them together. */
export type Takes = 'each' | 'all'

/** A tool: everything the product says of it, once. */
export interface ToolSpec<Id extends string, F extends Fields, T extends Takes = Takes> {
  readonly id: Id
  readonly section: Section
  readonly label: string
  /** What it can work on, by content; `any` for a tool that never looks inside. */
  readonly accepts: readonly FormatId[] | 'any'
  readonly takes: T
  /** What a file is prepared in beside the form; `form` where there is nothing more. */
  readonly editor: 'form' | 'crop' | 'idPhoto' | 'cutOut' | 'effect' | 'unstretch' | 'document' | 'colourize'
  /** Its own options; `fieldsOf` adds those it shares with others. */
  readonly options: F
  /** Groups of options that ask for the same thing in different ways: exactly one group is given, and giving one takes the others' place. */
  readonly ways?: readonly (readonly (keyof F & string)[])[]
  /** Whether an option does anything beside the others as they stand in a form, unchecked; a form leaves out one that doesn't. */
  readonly matters?: (key: string, values: Readonly<Record<string, unknown>>) => boolean
  /** A rule between options that no single field can check; names the failure. */
  readonly conflict?: (options: ValuesOf<F>) => OptionsConflict | undefined
  readonly cost: Cost
  /** How long a job may run, in milliseconds, where that is not as its cost says. */
  readonly deadlineMs?: number
  /**
   * What is cut out under these options, undefined where nothing is: such a job costs and runs as `ai` whatever the tool's class, leaves its
   * matte behind, and takes one that was made of the same file before for nothing.
   */
  readonly subject?: (options: ValuesOf<F>) => Subject | undefined
  /**
   * Where the colours come from under these options: such a job leaves its chroma behind, and takes one that was found in the same way for
   * the same file before for nothing.
   */
  readonly colours?: (options: ValuesOf<F>) => ColourSource
  readonly attachment?: Attachment<F>
  readonly runsOn: readonly ('cloud' | 'desktop')[]
  readonly pages: readonly [Page<F>, ...Page<F>[]]
}

/** Checks a definition's types and keeps them exact. */
export const defineTool = <const Id extends string, const F extends Fields, const T extends Takes>(
  spec: ToolSpec<Id, F, T>,
): ToolSpec<Id, F, T> => spec
