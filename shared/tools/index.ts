import { AppError } from '#shared/errors/app-error'
import { compressImage } from '#shared/tools/compress-image'
import { convertImage } from '#shared/tools/convert-image'
import { cropImage } from '#shared/tools/crop-image'
import { idPhoto } from '#shared/tools/id-photo'
import { cutOut } from '#shared/tools/cut-out'
import type { ColourSource, Cost, OptionsConflict, Subject, ToolSpec } from '#shared/tools/define'
import { fieldAt, initialOf, schemaOf, type Fields, type ValuesOf } from '#shared/tools/field'
import { naming } from '#shared/tools/file-name'
import { packZip } from '#shared/tools/pack-zip'
import { colourize } from '#shared/tools/colourize'
import { dehaze } from '#shared/tools/dehaze'
import { denoise } from '#shared/tools/denoise'
import { enhanceColour } from '#shared/tools/enhance-colour'
import { enhanceContrast } from '#shared/tools/enhance-contrast'
import { removeMoire } from '#shared/tools/remove-moire'
import { repairJpeg } from '#shared/tools/repair-jpeg'
import { scanDocument } from '#shared/tools/scan-document'
import { sharpen } from '#shared/tools/sharpen'
import { unstretch } from '#shared/tools/unstretch'
import { upscale } from '#shared/tools/upscale'
import { pdfToExcel } from '#shared/tools/pdf-to-excel'
import { pdfToPpt } from '#shared/tools/pdf-to-ppt'
import { pdfToOfd } from '#shared/tools/pdf-to-ofd'
import { pdfToText } from '#shared/tools/pdf-to-text'
import { pdfOcr } from '#shared/tools/pdf-ocr'
import { pdfToWord } from '#shared/tools/pdf-to-word'
import { resizeImage } from '#shared/tools/resize-image'
import { setDpi } from '#shared/tools/set-dpi'

/** Every tool; the menus follow the order here. */
export const tools = [
  compressImage,
  resizeImage,
  idPhoto,
  setDpi,
  packZip,
  convertImage,
  cropImage,
  cutOut,
  colourize,
  sharpen,
  upscale,
  repairJpeg,
  unstretch,
  enhanceContrast,
  enhanceColour,
  dehaze,
  denoise,
  removeMoire,
  scanDocument,
  pdfToWord,
  pdfOcr,
  pdfToExcel,
  pdfToPpt,
  pdfToText,
  pdfToOfd,
] as const

/** One of the tools, by its exact definition. */
export type Tool = (typeof tools)[number]
/** The id of a tool: also its file names and its name on the wire. */
export type ToolId = Tool['id']
type CheckedOptions<T extends Tool> = T extends { takes: 'each' }
  ? ValuesOf<T['options']> & ValuesOf<typeof naming>
  : ValuesOf<T['options']>
/** The checked options of one tool. */
export type OptionsOf<Id extends ToolId> = CheckedOptions<Extract<Tool, { id: Id }>>
/** A page together with the tool it opens. */
export interface ToolPage {
  readonly tool: ToolSpec<ToolId, Fields>
  readonly page: ToolSpec<ToolId, Fields>['pages'][number]
}

// Looked up by name, a tool's exact option types are unknown; `Fields` is what all of them have in common.
const specs = tools as unknown as readonly ToolSpec<ToolId, Fields>[]
const byId = new Map<string, ToolSpec<ToolId, Fields>>(specs.map((tool) => [tool.id, tool]))
const byPath = new Map<string, ToolPage>(specs.flatMap((tool) => tool.pages.map((page) => [page.path, { tool, page }])))

/** Every page with its tool, in menu order. */
export const pages: readonly ToolPage[] = [...byPath.values()]

/** Whether a string from outside names a tool. */
export const isToolId = (id: string): id is ToolId => byId.has(id)

/** The page at an address, or undefined. */
export const findPage = (path: string): ToolPage | undefined => byPath.get(path)

/** The definition of a tool looked up by its id. */
export function toolOf(id: ToolId): ToolSpec<ToolId, Fields> {
  const tool = byId.get(id)
  if (tool === undefined) throw new Error(`no tool ${id}`)
  return tool
}

/** Every option of a tool: its own, and how the results are named where each file has one. */
export const fieldsOf = ({ options, takes }: ToolSpec<ToolId, Fields>): Fields => (takes === 'each' ? { ...options, ...naming } : options)

/** The options a page starts with: the tool's initial values under the page's preset. */
export const startOptions = ({ tool, page }: ToolPage): Record<string, unknown> => ({ ...initialOf(fieldsOf(tool)), ...page.preset })

/**
 * The options of a tool, checked; left-out top-level ones take their initial value.
 * Throws `options.*`, naming the field, when one is missing, unknown or out of its range.
 */
export function parseOptions<Id extends ToolId>(id: Id, input: unknown): OptionsOf<Id> {
  const tool = toolOf(id)
  const fields = fieldsOf(tool)
  const parsed = schemaOf(fields).safeParse(input)
  if (!parsed.success) throw complaint(fields, parsed.error.issues[0]?.path ?? [], input)
  const conflict = waysConflict(tool.ways, parsed.data) ?? tool.conflict?.(parsed.data)
  if (conflict !== undefined) throw new AppError(conflict, {})
  return parsed.data as OptionsOf<Id> // the schema was built from this id's own fields
}

/** What a job cuts out of its picture under checked options; undefined for a job that cuts nothing out. */
export const subjectOf = (id: ToolId, options: Values): Subject | undefined => toolOf(id).subject?.(options)

/** Where a job takes a photo's colours from under checked options; undefined for a job that colours nothing. */
export const coloursOf = (id: ToolId, options: Values): ColourSource | undefined => toolOf(id).colours?.(options)

/** Whether a job with these checked options finds something out that serves later ones of the same file, which are then for nothing. */
export const leavesParts = (id: ToolId, options: Values): boolean =>
  subjectOf(id, options) !== undefined || coloursOf(id, options) !== undefined

/** Whether a tool makes something else of a file, not a smaller one. */
export const remakes = (id: ToolId): boolean => ['effect', 'pdf'].includes(toolOf(id).section)

/** What a job with these checked options weighs. */
export const costOf = (id: ToolId, options: Values): Cost => (subjectOf(id, options) === undefined ? toolOf(id).cost : 'ai')

/** Whether a job with these checked options needs its tool's attachment. */
export function needsAttachment(id: ToolId, options: Values): boolean {
  const { attachment } = toolOf(id)
  return attachment !== undefined && valueAt(options, [attachment.option, 'by']) === attachment.by
}

type Ways = ToolSpec<ToolId, Fields>['ways']
type Values = Readonly<Record<string, unknown>>

const hasAny = (values: Values, keys: readonly string[]): boolean => keys.some((key) => values[key] !== undefined)

function waysConflict(ways: Ways, values: Values): OptionsConflict | undefined {
  if (!ways) return undefined
  const taken = ways.filter((keys) => hasAny(values, keys)).length
  return taken > 1 ? 'options.size-twice' : taken === 0 ? 'options.size-missing' : undefined
}

/**
 * Options after some of them were set: where these belong to one of the tool's ways, the other ways are emptied. Set in
 * several ways at once, they stay as they are, for `parseOptions` to refuse.
 */
export function keepOneWay(ways: Ways, values: Values, setKeys: readonly string[]): Record<string, unknown> {
  const chosen = (ways ?? []).filter((keys) => setKeys.some((key) => keys.includes(key) && values[key] !== undefined))
  if (chosen.length !== 1) return { ...values }
  const others = (ways ?? []).filter((keys) => !chosen.includes(keys)).flat()
  return { ...values, ...Object.fromEntries(others.map((key) => [key, undefined])) }
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value)

function complaint(fields: Fields, path: readonly PropertyKey[], input: unknown): AppError {
  const field = fieldAt(fields, path)
  if (field === naming.fileName) return new AppError('options.file-name', {})
  if (field?.view.kind !== 'number') return new AppError('options.invalid', { label: field?.label ?? '选项' })
  const { min, max, unit } = field.view
  const value = valueAt(input, path)
  const isSize = unit === 'KB' || unit === 'MB'
  if (isSize && typeof value === 'number' && value <= 0) return new AppError('options.target-not-positive', {})
  return new AppError('options.out-of-range', { label: field.label, min, max, unit })
}
