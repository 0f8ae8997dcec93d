import { readFileSync } from 'node:fs'
import { z } from 'zod'

// Tests run these sources as they stand; compiled ones lie a folder deeper.
const manifest = new URL(import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json', import.meta.url)

/** The version of the program, as its package says. */
export const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')))
