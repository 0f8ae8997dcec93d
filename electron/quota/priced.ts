import { fieldsOf, toolOf, type ToolId } from '#shared/tools/index'

/** Kinds of options that no price depends on, and that are nobody's business or large: passwords, names, what a brush drew. */
const UNTOLD = new Set(['text', 'strokes', 'hints'])

/** The options of a job as the server needs them to say what it costs. */
export function pricedOptions(tool: ToolId, options: unknown): unknown {
  const fields = fieldsOf(toolOf(tool))
  const isTold = ([key]: readonly [string, unknown]): boolean => !UNTOLD.has(fields[key]?.view.kind ?? '')
  return Object.fromEntries(Object.entries(options ?? {}).filter(isTold))
}
