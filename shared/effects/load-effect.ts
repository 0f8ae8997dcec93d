import type { Effect } from './effect.ts'
import type { OptionsOf, ToolId } from '#shared/tools/index'

/** The tools that are effects: what the page shows of them beforehand is made by the very functions the engine uses. */
export type EffectId = keyof typeof load

/** Loaded one by one, where they are asked for. */
const load = {
  sharpen: async () => (await import('./sharpen/sharpen.ts')).sharpen,
  'repair-jpeg': async () => (await import('./repair-jpeg/repair-jpeg.ts')).repairJpeg,
  'enhance-contrast': async () => (await import('./enhance-contrast/enhance-contrast.ts')).enhanceContrast,
  'enhance-colour': async () => (await import('./enhance-colour/enhance-colour.ts')).enhanceColour,
  dehaze: async () => (await import('./dehaze/dehaze.ts')).dehaze,
  denoise: async () => (await import('./denoise/denoise.ts')).denoise,
  'remove-moire': async () => (await import('./remove-moire/remove-moire.ts')).removeMoire,
}

/** Whether a tool is an effect. */
export const isEffectId = (id: ToolId): id is EffectId => Object.hasOwn(load, id)

/** The effect of a tool, loaded; what it measures is its own. */
export const loadEffect = async <Id extends EffectId>(id: Id): Promise<Effect<OptionsOf<Id>, unknown>> =>
  (await load[id]()) as unknown as Effect<OptionsOf<Id>, unknown> // a caller only hands the measure back
