import { AppError, messageOf, toWire } from '#shared/errors/app-error'
import { fieldsOf, findPage, keepOneWay, needsAttachment, parseOptions, startOptions, toolOf, type ToolId } from '#shared/tools/index'
import { initialOfCase, type Cases, type Field, type Fields, type ReadCase } from '#shared/tools/field'

/** What `qingtu run` was asked to do, checked. */
export interface RunRequest {
  readonly tool: ToolId
  readonly options: ReturnType<typeof parseOptions<ToolId>>
  readonly outFolder: string
  readonly isJson: boolean
  readonly files: readonly string[]
  /** The file all others share, where the options call for one. */
  readonly attachment?: string
}

/** A command line that can't be carried out; the message says why, in Chinese, and exit status is 2. */
export class UsageError extends Error {}

/** `targetKb` as it is written on a command line: `--target-kb`. */
export const flagName = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The options of a tool as flags; those of a variant's cases stand beside the variant itself. */
export function flagsOf(fields: Fields): ReadonlyMap<string, Field<unknown>> {
  const found = new Map<string, Field<unknown>>()
  for (const [key, field] of Object.entries(fields)) {
    found.set(key, field)
    const cases = field.view.kind === 'variant' ? Object.values(field.view.cases) : []
    for (const { fields: inner } of cases) for (const [innerKey, innerField] of flagsOf(inner)) found.set(innerKey, innerField)
  }
  return found
}

interface Words {
  readonly flags: Map<string, string | true>
  readonly files: string[]
}

/** Splits words into flags (with the value behind them, `--a b` or `--a=b`) and files; after `--` everything is a file. */
function readWords(words: readonly string[], known: ReadonlyMap<string, { takesValue: boolean }>): Words {
  const flags = new Map<string, string | true>()
  const files: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '--') {
      files.push(...words.slice(index + 1))
      break
    }
    if (!word.startsWith('--')) {
      files.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const name = equals < 0 ? word : word.slice(0, equals)
    const flag = known.get(name)
    if (flag === undefined) throw new UsageError(`没有选项 ${name}。可用选项：${[...known.keys()].join(' ')}`)
    if (equals >= 0 && name === '--json') throw new UsageError('选项 --json 不带值。')
    if (equals >= 0) flags.set(name, word.slice(equals + 1))
    else if (!flag.takesValue) flags.set(name, true)
    else {
      index += 1
      const value = words[index]
      if (value === undefined || known.has(value)) throw new UsageError(`选项 ${name} 后面缺少值。`)
      flags.set(name, value)
    }
  }
  return { flags, files }
}

/** The value of a flag's text, by its field; checked later by the tool's schema. */
function valueOf(field: Field<unknown>, text: string | true, name: string): unknown {
  switch (field.view.kind) {
    case 'number': {
      const value = text === true || text.trim() === '' ? NaN : Number(text)
      if (Number.isNaN(value)) throw new UsageError(`选项 ${name} 需要一个数字。`)
      return value
    }
    case 'flag':
      if (text === true || text === 'true') return true
      if (text === 'false') return false
      throw new UsageError(`选项 ${name} 只能是 true 或 false。`)
    case 'choice':
    case 'text':
    case 'colour':
    case 'variant':
      return text
    case 'strokes':
    case 'hints':
      return readJson(String(text), name)
  }
}

function readJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`选项 ${name} 需要一段 JSON。`, { cause })
  }
}

type Values = Record<string, unknown>

/**
 * Picks the case that knows every key given: the page's own, or one whose first field, the defining one, is given
 * (`--quality 80` on `/` changes to the quality case; `--keep-pixels` alone changes nothing).
 */
function chooseCase(cases: Cases, start: Values, given: Values, asked: string | undefined): Values {
  const keys = Object.keys(given)
  const isPossible = (by: string): boolean => {
    const known = Object.keys(cases[by]?.fields ?? {})
    const isMeant = by === start['by'] || by === asked || keys.includes(known[0] ?? '')
    return Object.hasOwn(cases, by) && isMeant && keys.every((key) => known.includes(key))
  }
  const order = asked === undefined ? [String(start['by']), ...Object.keys(cases)] : [asked]
  const chosen = order.find(isPossible)
  if (chosen === undefined) throw new UsageError(`这些选项不能同时使用，或不适用于该页面：${keys.map(flagName).join(' ')}`)
  return { ...(chosen === start['by'] ? start : initialOfCase(cases, chosen)), ...given }
}

/** What a word says of a variant: a case by its name, or a case and its values in the way the field reads words. */
function said(cases: Cases, read: ReadCase | undefined, word: string): Values {
  const values = Object.hasOwn(cases, word) ? { by: word } : read?.(word)
  if (values === undefined) throw new UsageError(`没有这种方式：${word}。可用：${Object.keys(cases).join(' ')}`)
  return values
}

/** Lays the values given over a page's starting options, in the shape of the tool's fields. */
function mergeOptions(fields: Fields, start: Values, given: ReadonlyMap<string, unknown>): Values {
  const merged = { ...start }
  for (const [key, field] of Object.entries(fields)) {
    if (field.view.kind !== 'variant') {
      if (given.has(key)) merged[key] = given.get(key)
      continue
    }
    const { cases, read } = field.view
    const innerKeys = new Set(Object.values(cases).flatMap((one) => Object.keys(one.fields)))
    const word = given.get(key)
    const { by, ...spoken } = word === undefined ? {} : said(cases, read, String(word))
    const inner = { ...spoken, ...Object.fromEntries([...given].filter(([name]) => innerKeys.has(name))) }
    merged[key] = chooseCase(cases, start[key] as Values, inner, by === undefined ? undefined : String(by)) // a variant's starting value is the record of one case
  }
  return merged
}

/** Reads `qingtu run <page path> --out DIR [--<option> VALUE …] [--json] FILE…`. Throws UsageError. */
export function parseRun(words: readonly string[]): RunRequest {
  const [path = '', ...rest] = words
  const found = findPage(path)
  if (found === undefined) throw new UsageError(`没有页面 ${path || '（空）'}。运行 qingtu tools 查看全部页面。`)
  const options = fieldsOf(found.tool)
  const fields = flagsOf(options)
  const known = new Map([
    ['--out', { takesValue: true }],
    ['--json', { takesValue: false }],
  ])
  const keyOf = new Map([...fields.keys()].map((key) => [flagName(key), key]))
  for (const [key, field] of fields) known.set(flagName(key), { takesValue: field.view.kind !== 'flag' })
  const { flags, files } = readWords(rest, known)
  const outFolder = flags.get('--out')
  if (typeof outFolder !== 'string') throw new UsageError('请用 --out 指定保存结果的文件夹。')
  if (files.length === 0) throw new UsageError('请至少给出一个文件。')
  const given = new Map<string, unknown>()
  for (const [name, text] of flags) {
    const key = keyOf.get(name)
    const field = key === undefined ? undefined : fields.get(key)
    if (key !== undefined && field !== undefined) given.set(key, valueOf(field, text, name))
  }
  const { id, ways } = found.tool
  const attachment = takeAttachment(id, given)
  const merged = keepOneWay(ways, mergeOptions(options, startOptions(found), given), [...given.keys()])
  const request = { tool: id, options: checked(id, merged), outFolder, isJson: flags.has('--json'), files }
  if (!needsAttachment(id, request.options)) return request
  if (attachment === undefined)
    throw new UsageError(messageOf({ code: 'options.background-missing', data: { label: toolOf(id).attachment?.label ?? '图片' } }))
  return { ...request, attachment }
}

/** The file that stands in the place of a case (`--background sea.jpg`), the case being put there instead. */
function takeAttachment(tool: ToolId, given: Map<string, unknown>): string | undefined {
  const { attachment, options } = toolOf(tool)
  if (!attachment) return undefined
  const word = given.get(attachment.option)
  const view = options[attachment.option]?.view
  if (typeof word !== 'string' || view?.kind !== 'variant') return undefined
  if (Object.hasOwn(view.cases, word) || view.read?.(word)) return undefined
  given.set(attachment.option, attachment.by)
  return word
}

function checked(tool: ToolId, options: unknown): RunRequest['options'] {
  try {
    return parseOptions(tool, options)
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(messageOf(toWire(error)))
    throw error
  }
}
