import { coloursOf, subjectOf, type ToolId } from '#shared/tools/index'

/** The finding of a photo that is coloured by hand: there is nothing to find, and no file of it. */
export const STROKES_ALONE = 'colours none'

/**
 * What a job of these checked options has to find in its picture before anything else, in one word: the same word is the same matte, or the
 * same chroma. Undefined where that serves no other job. Colours of another photo are those of these very bytes, which `reference` tells.
 */
export function findingOf(tool: ToolId, options: Readonly<Record<string, unknown>>, reference: string | undefined): string | undefined {
  const colours = coloursOf(tool, options)
  if (colours === undefined) return subjectOf(tool, options)
  if (colours !== 'reference') return `colours ${colours}`
  return reference === undefined ? undefined : `colours ${reference}`
}

/** The option that holds a secret, in every tool that has one. */
export const SECRET_KEY = 'password'

/** Options as they are kept for good: in JSON, what is undefined is absent, and a job that has ended has no password. */
export const keptOptions = (options: unknown): unknown =>
  JSON.parse(JSON.stringify(options, (key, value: unknown) => (key === SECRET_KEY ? undefined : value)))
