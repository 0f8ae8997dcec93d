import * as z from 'zod/mini'
import { areHintsWithinLimits, type Hint } from '#shared/hints'
import { isWithinLimits, MAX_POINTS, MAX_STROKES, type Stroke } from '#shared/strokes'

/** One option of a tool: what it is called, where it starts, how it is checked and how it is shown. */
export interface Field<T> {
  readonly label: string
  /** One more line under the label, where the label alone leaves a question open. */
  readonly hint?: string
  readonly initial: T
  readonly view: View
  readonly schema: z.ZodMiniType<T>
}

/** What a form, a help text or an error message needs to know of a field. */
export type View =
  | { kind: 'number'; min: number; max: number; step: number; unit: string; optional: boolean; presets: readonly number[] }
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  | { kind: 'flag' }
  /** `isKept`: remembered for the next files. */
  | { kind: 'text'; maxLength: number; isSecret: boolean; isKept: boolean; placeholder: string }
  | { kind: 'colour'; canBeTransparent: boolean; presets: readonly string[] }
  | { kind: 'strokes' }
  | { kind: 'hints' }
  /** `isSlid`: the case `auto`, or an amount that is slid, in a case with that one number. */
  | { kind: 'variant'; cases: Cases; read: ReadCase | undefined; isSlid: boolean }

/** How a variant is said in one word (`#ff0000`, `transparent`), where it can be; undefined for a word that says none. */
export type ReadCase = (word: string) => Readonly<Record<string, unknown>> | undefined

/** The case `colour` of a variant from `#rrggbb`. */
export const readColour: ReadCase = (word) => (/^#[0-9a-f]{6}$/i.test(word) ? { by: 'colour', colour: word.toLowerCase() } : undefined)

/** Options by their keys. */
export type Fields = Readonly<Record<string, Field<unknown>>>
/** The cases of a variant by the value of `by`. */
export type Cases = Readonly<Record<string, { readonly label: string; readonly fields: Fields }>>

/** The value a set of fields describes. */
export type ValuesOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** The union a variant describes: `{by: 'size', …} | {by: 'quality', …}`. */
export type VariantOf<C extends Cases> = { [K in keyof C & string]: { readonly by: K } & ValuesOf<C[K]['fields']> }[keyof C & string]

/** What a field is called, said by whoever defines it. */
interface Wording {
  readonly label: string
  readonly hint?: string
}

/** Without the key where there is no hint, so that fields can be compared and printed as they are. */
const worded = ({ label, hint }: Wording): Wording => ({ label, ...(hint !== undefined && { hint }) })

interface NumberSpec extends Wording {
  readonly min: number
  readonly max: number
  readonly unit?: string
  /** What a slider or an arrow key moves by; `1` also makes the field accept whole numbers only. */
  readonly step?: number
  /** Values offered for one click. */
  readonly presets?: readonly number[]
}

const view = ({ min, max, unit = '', step = 1, presets = [] }: NumberSpec, optional: boolean): View => ({
  kind: 'number',
  min,
  max,
  step,
  unit,
  optional,
  presets,
})

const numberSchema = ({ min, max, step = 1 }: NumberSpec) => {
  const range = z.number().check(z.gte(min), z.lte(max))
  return step === 1 ? range.check(z.int()) : range
}

/** A number with a range, in one unit. */
export const number = (spec: NumberSpec & { readonly initial: number }): Field<number> => ({
  ...worded(spec),
  initial: spec.initial,
  view: view(spec, false),
  schema: numberSchema(spec),
})

/** A number that may be left out. */
export const optionalNumber = (spec: NumberSpec): Field<number | undefined> => ({
  ...worded(spec),
  initial: undefined,
  view: view(spec, true),
  schema: z.optional(numberSchema(spec)),
})

/** On or off. */
export const flag = (spec: Wording & { readonly initial: boolean }): Field<boolean> => ({
  ...worded(spec),
  initial: spec.initial,
  view: { kind: 'flag' },
  schema: z.boolean(),
})

interface TextSpec extends Wording {
  readonly maxLength: number
  readonly isSecret?: boolean
  /** It says something of the files at hand, and of no others. */
  readonly isPassing?: boolean
  readonly placeholder?: string
}

/** A line of text; trimmed, empty where nothing is given. A secret one is never shown or remembered. */
export const text = ({ maxLength, isSecret = false, isPassing = false, placeholder = '', ...wording }: TextSpec): Field<string> => ({
  ...worded(wording),
  initial: '',
  view: { kind: 'text', maxLength, isSecret, isKept: !isSecret && !isPassing, placeholder },
  schema: z.string().check(z.trim(), z.maxLength(maxLength)),
})

/** A colour as `#rrggbb`, or `transparent` where that makes sense. */
export function colour(spec: Wording & { initial: string; canBeTransparent?: boolean; presets?: readonly string[] }): Field<string> {
  const canBeTransparent = spec.canBeTransparent ?? false
  const pattern = canBeTransparent ? /^(#[0-9a-f]{6}|transparent)$/ : /^#[0-9a-f]{6}$/
  return {
    ...worded(spec),
    initial: spec.initial,
    view: { kind: 'colour', canBeTransparent, presets: spec.presets ?? [] },
    schema: z.string().check(z.toLowerCase(), z.regex(pattern)),
  }
}

const part = z.number().check(z.gte(0), z.lte(1))

/** x and y in turn; a brush may leave the picture, but not by far. */
const points = z.array(z.number().check(z.gte(-1), z.lte(2))).check(
  z.minLength(2),
  z.maxLength(2 * MAX_POINTS),
  z.refine(({ length }) => length % 2 === 0),
)

/** Strokes of a brush on a matte: made in an editor, in no form. */
export const strokes = (spec: Wording): Field<readonly Stroke[]> => ({
  ...worded(spec),
  initial: [],
  view: { kind: 'strokes' },
  schema: z
    .array(z.strictObject({ mode: z.enum(['keep', 'erase']), size: part, hardness: part, points }))
    .check(z.maxLength(MAX_STROKES), z.refine(isWithinLimits)),
})

/** Strokes that say which colour is where: made in an editor, in no form. */
export const hints = (spec: Wording): Field<readonly Hint[]> => ({
  ...worded(spec),
  initial: [],
  view: { kind: 'hints' },
  schema: z
    .array(z.strictObject({ colour: z.string().check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/)), size: part, points }))
    .check(z.maxLength(MAX_STROKES), z.refine(areHintsWithinLimits)),
})

/** One of a few named values. */
export function choice<const V extends string>(
  spec: Wording & { readonly choices: Readonly<Record<V, string>>; readonly initial: NoInfer<V> },
): Field<V> {
  const { choices, initial } = spec
  const values = Object.keys(choices) as V[] // Object.keys forgets the key type; the record has no other keys
  return {
    ...worded(spec),
    initial,
    view: { kind: 'choice', choices: values.map((value) => ({ value, label: choices[value] })) },
    schema: z.enum(values),
  }
}

/** Options that exist only under one choice, so that no impossible pair can be stored. The choice itself is under the key `by`. */
export function variant<const C extends Cases>(
  spec: Wording & { readonly cases: C; readonly initial: NoInfer<keyof C & string>; readonly read?: ReadCase; readonly isSlid?: boolean },
): Field<VariantOf<C>> {
  const { label, cases, initial } = spec
  const [first, ...others] = Object.entries(cases).map(([by, { fields }]) => z.extend(schemaOf(fields), { by: z.literal(by) }))
  if (first === undefined) throw new Error(`variant ${label} has no cases`)
  return {
    ...worded(spec),
    initial: initialOfCase(cases, initial) as VariantOf<C>, // built from the very case the type names
    view: { kind: 'variant', cases, read: spec.read, isSlid: spec.isSlid ?? false },
    schema: z.discriminatedUnion('by', [first, ...others]) as unknown as z.ZodMiniType<VariantOf<C>>, // zod can't follow a mapped record of cases
  }
}

/** The starting value of one case of a variant, its `by` included. */
export function initialOfCase(cases: Cases, by: string): Record<string, unknown> {
  const fields = Object.hasOwn(cases, by) ? cases[by]?.fields : undefined
  return { by, ...(fields && initialOf(fields)) }
}

/**
 * The strict schema of a set of fields: a left-out key takes the field's starting value, and a key that is not a field is
 * refused, so that a misspelt option is never ignored.
 */
export const schemaOf = (fields: Fields) =>
  z.strictObject(Object.fromEntries(Object.entries(fields).map(([key, { schema, initial }]) => [key, z._default(schema, initial)])))

/** Every field at its starting value. */
export const initialOf = <F extends Fields>(fields: F): ValuesOf<F> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.initial])) as ValuesOf<F> // fromEntries forgets which key had which type

/** The field a path of keys leads to, through variants. */
export function fieldAt(fields: Fields, path: readonly PropertyKey[]): Field<unknown> | undefined {
  const [key, ...rest] = path
  if (typeof key !== 'string' || !Object.hasOwn(fields, key)) return undefined
  const field = fields[key]
  if (field?.view.kind !== 'variant' || rest.length === 0) return field
  const inner = Object.values(field.view.cases).find((one) => fieldAt(one.fields, rest) !== undefined)
  return inner ? fieldAt(inner.fields, rest) : field
}
