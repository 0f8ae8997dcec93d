import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Store from 'electron-store'
import type { Log } from './log.ts'
import type { Place } from './window.ts'
import { outputPlace, type ClientSettings, type OutputPlace } from '#shared/desktop'

/** All that is kept in `settings.json`; what isn't set has its default. */
interface Stored {
  readonly window?: Place
  readonly place: OutputPlace
  readonly folder: string
  readonly notify: boolean
  readonly updates: boolean
}

const side = { type: 'integer', minimum: -100_000, maximum: 100_000 } as const
const schema = {
  window: {
    type: 'object',
    required: ['bounds', 'isMaximised'],
    properties: {
      bounds: { type: 'object', required: ['x', 'y', 'width', 'height'], properties: { x: side, y: side, width: side, height: side } },
      isMaximised: { type: 'boolean' },
    },
  },
  place: { type: 'string', enum: outputPlace.options, default: 'subfolder' },
  folder: { type: 'string', maxLength: 32_767, default: '' },
  notify: { type: 'boolean', default: true },
  updates: { type: 'boolean', default: false },
} as const

/** What a person has set, from one start to the next. */
export class Settings {
  readonly #store: Store<Stored>

  constructor(folder: string, log: Log) {
    const open = (): Store<Stored> => new Store<Stored>({ cwd: folder, name: 'settings', schema, clearInvalidConfig: true })
    try {
      this.#store = open()
    } catch (error) {
      // Of another version, or written by hand: nothing in it is worth not starting for.
      log('the settings could not be read, and begin anew', error)
      rmSync(join(folder, 'settings.json'), { force: true })
      this.#store = open()
    }
  }

  /** As the page sees them. */
  get shown(): ClientSettings {
    const { place, folder, notify, updates } = this.#store.store
    // Without a folder there is no place to put things into.
    return { output: { place: place === 'folder' && folder === '' ? 'subfolder' : place, folder }, notify, updates }
  }

  change({ place, folder, notify, updates }: { readonly [Name in keyof Stored]?: Stored[Name] | undefined }): void {
    if (place !== undefined) this.#store.set('place', place)
    if (folder !== undefined) this.#store.set('folder', folder)
    if (notify !== undefined) this.#store.set('notify', notify)
    if (updates !== undefined) this.#store.set('updates', updates)
  }

  get window(): Place | undefined {
    return this.#store.get('window')
  }

  set window(place: Place) {
    this.#store.set('window', place)
  }
}
