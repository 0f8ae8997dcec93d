import type { Options } from '../state/settings.ts'
import type { Stroke } from '#shared/strokes'
import { cutOut } from '#shared/tools/cut-out'
import { initialOf, type Field } from '#shared/tools/field'
import type { OptionsOf } from '#shared/tools/index'

const { background, feather, shift, decontaminate, trim, margin, shadow, strokes, format } = cutOut.options

/** The options that the editor shows and that can be the same for all files. */
export const lookFields = { background, feather, shift, decontaminate, shadow, trim, margin }

/** What a cut-out looks like, its strokes apart. */
export type Look = Pick<OptionsOf<'cut-out'>, keyof typeof lookFields>

/** A value as its field has it; its initial one for what a form holds and does not pass. */
function checked<T>({ schema, initial }: Field<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : initial
}

export const lookOf = (options: Options): Look => ({
  background: checked(background, options['background']),
  feather: checked(feather, options['feather']),
  shift: checked(shift, options['shift']),
  decontaminate: checked(decontaminate, options['decontaminate']),
  shadow: checked(shadow, options['shadow']),
  trim: checked(trim, options['trim']),
  margin: checked(margin, options['margin']),
})

export const strokesOf = (options: Options): readonly Stroke[] => checked(strokes, options['strokes'])

/** A look as options of a file; a format that can't be transparent gives way to the background that was chosen. */
export function optionsOf(look: Look, options: Options): Options {
  const whole = { ...initialOf(cutOut.options), ...look, format: checked(format, options['format']) }
  return { ...look, ...(cutOut.conflict?.(whole) !== undefined && { format: 'auto' }) }
}
