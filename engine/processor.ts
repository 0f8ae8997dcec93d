import type { Limits } from './limits.ts'
import type { FormatId } from '#shared/formats'
import type { WireError } from '#shared/errors/app-error'
import type { OptionsOf, ToolId } from '#shared/tools/index'

/** A file a job works on: where it lies, and what it is called (the name is never trusted for its type). */
export interface InputFile {
  readonly path: string
  readonly name: string
  /** The folder it was picked from (`旅行/第一天`), where there was one. */
  readonly folder?: string
  /** Its place among the files that were handed in together, from 1; a file by itself is the first. */
  readonly place?: number
}

/**
 * What a person should know of a result beside its size: it is the source untouched, it is above the target all the same
 * (the words are those of `target.missed`), it has fewer pixels, was enlarged so much that it may look soft, it lost metadata that
 * was to be kept but left no room, or a crop that reached outside was cut back.
 */
export type Note =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missed'; readonly targetBytes: number; readonly bestBytes: number }
  | { readonly kind: 'stripped' }
  | { readonly kind: 'adjusted' }
  | { readonly kind: 'enlarged'; readonly times: number }
  /** A cut-out whose model was not sure of its subject. */
  | { readonly kind: 'unsure' }
  /** An ID photo in which no face was found: it was cut in its middle. */
  | { readonly kind: 'no-face' }
  /** A photo to be coloured that was in colour: it was made black and white first. */
  | { readonly kind: 'in-colour' }
  /** A picture too large for the net that enlarges: it was enlarged without one. */
  | { readonly kind: 'plain' }
  /** A picture in which nothing tells that it was stretched: it is the source untouched. */
  | { readonly kind: 'no-stretch' }
  /** A picture whose stretching is known only roughly: by faces, or by nothing but what its file remembers or resampling left. */
  | { readonly kind: 'guessed'; readonly by?: 'file' | 'traces' }
  /** A PDF in which no table was found: its text came out page by page. */
  | { readonly kind: 'no-table' }
  /** A PDF without any text: its pages came as the pictures they are. */
  | { readonly kind: 'scanned' }
  /** A scan whose text is what another program had read in it: its own text layer. */
  | { readonly kind: 'text-layer' }
  | { readonly kind: 'shrunk'; readonly width: number; readonly height: number; readonly quality?: number }

/** A result: a file in the job's workspace, and what it is. `format` is by content, whatever the source's name said; sides are a picture's. */
export interface OutputFile {
  readonly path: string
  readonly name: string
  readonly format: FormatId
  readonly bytes: number
  readonly width?: number
  readonly height?: number
  readonly note?: Note
  /** What an editor works on, and no result: nobody is given it to keep. */
  readonly part?: Part
  /** Where the head was found in the upright source. */
  readonly head?: Head
}

/**
 * What a cut-out's editor needs beside the result: the matte (8-bit grey PNG at full size, before edges and strokes), and previews of no
 * more than 1600 px, as WebP: the subject's own colours without what the ground shed on them (opaque; equal to the source where nothing was shed), and the source.
 * An editor of colours needs the source, and the chroma that was found (`encodeChroma` in a PNG, before hints).
 */
export type Part = 'matte' | 'foreground' | 'source' | 'chroma'

/** A head's lines in percent of the picture's height, the face's middle in percent of its width, and how far it leans (degrees clockwise). */
export interface Head {
  readonly crown: number
  readonly eyes: number
  readonly chin: number
  readonly centre: number
  readonly tilt: number
}

/** One piece of work for a tool. Options are checked again where the job runs. */
export interface Job<Id extends ToolId = ToolId> {
  readonly tool: Id
  readonly options: OptionsOf<Id>
  /** One file, or all of them for a tool that takes all together. */
  readonly inputs: readonly [InputFile, ...InputFile[]]
  /** The second file that options call for (`needsAttachment`). */
  readonly attachment?: InputFile
  /** The matte an earlier job made of the same file: then no model is asked. */
  readonly matte?: InputFile
  /** The chroma an earlier job found in the same way for the same file (its part): then no model is asked. */
  readonly chroma?: InputFile
  /** Whether an editor will want the parts. */
  readonly wantsParts?: boolean
}

/** What a processor is given to work with. */
export interface Context {
  /** An empty private folder; results are written here. */
  readonly folder: string
  readonly limits: Limits
  /** Where an operator's models lie, if there are any. */
  readonly modelsFolder?: string
  /** Who runs the service, where that is known. */
  readonly producer?: string
  /** Milliseconds until the parent kills this process: a search stops with its best in time. */
  readonly msLeft: () => number
  /** How far the job is, 0..1, and where that is, in words a row has room for (`pageStep`). */
  readonly progress: (fraction: number, step?: string) => void
}

/** A tool's work: files in, files out. Throws AppError for everything a person can mend. */
export type Processor<Id extends ToolId> = (job: Job<Id>, context: Context) => Promise<readonly OutputFile[]>

/** From the pool to a child. */
export interface Order {
  readonly job: Job
  readonly folder: string
  readonly limits: Limits
  readonly modelsFolder?: string
  readonly producer?: string
  readonly deadlineMs: number
}

/** From a child to the pool. `cause` is for the log only. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'resident'; readonly bytes: number }
  | { readonly kind: 'progress'; readonly fraction: number; readonly step?: string }
  | { readonly kind: 'done'; readonly outputs: readonly OutputFile[] }
  | { readonly kind: 'failed'; readonly error: WireError; readonly cause: string }
