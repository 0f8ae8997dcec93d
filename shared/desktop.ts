import { z } from 'zod/mini'
import type { WireError } from './errors/app-error.ts'

/** Addresses of the page in the client: this origin serves the page itself and everything it asks for. */
export const CLIENT_ORIGIN = 'app://qingtu'
/** Under which `window` has what the preload script offers; not there in a browser. */
export const DESKTOP = 'qingtu'

/** Bytes of a file that is processed on this computer, at most. */
export const MAX_LOCAL_BYTES = 2 * 1024 ** 3

const key = z.string().check(z.minLength(1), z.maxLength(100))

/** A file the page may work on without knowing where it lies: `key` stands for it in calls of the API, for as long as the client runs. */
export const grantedFile = z.object({
  key,
  name: z.string(),
  /** The folder it was picked from (`旅行/第一天`), where a folder was. */
  path: z.optional(z.string()),
  bytes: z.number(),
})
/** A file the page may work on. */
export type GrantedFile = z.infer<typeof grantedFile>

/** Where results go: a folder `轻图` beside each source, beside the source itself, or one folder for all, in which folders are kept. */
export const outputPlace = z.enum(['subfolder', 'beside', 'folder'])
/** Where results go. */
export type OutputPlace = z.infer<typeof outputPlace>

/** What a person has set in the client. `folder` is the chosen folder as it is shown, empty where none is. */
export const clientSettings = z.object({
  output: z.object({ place: outputPlace, folder: z.string() }),
  /** Told by the system when a batch is done and the window is not looked at. */
  notify: z.boolean(),
  /** Whether the client looks for a newer version by itself. */
  updates: z.boolean(),
})
/** What a person has set in the client. */
export type ClientSettings = z.infer<typeof clientSettings>

/** How an update stands. `version` is the newer one. */
export const updateState = z.union([
  z.object({ at: z.literal('idle') }),
  z.object({ at: z.literal('checking') }),
  z.object({ at: z.literal('current') }),
  z.object({ at: z.literal('found'), version: z.string() }),
  z.object({ at: z.literal('downloading'), version: z.string(), fraction: z.number() }),
  z.object({ at: z.literal('ready'), version: z.string() }),
  z.object({ at: z.literal('failed') }),
])
/** How an update stands. */
export type UpdateState = z.infer<typeof updateState>

/** Until when a member's client may work without a network, and for how many pictures (null: any number); null for guests, and where that has ended. */
export const offlineState = z.nullable(z.object({ until: z.string(), left: z.nullable(z.number()) }))
/** Whether and how long a client may work without a network. */
export type OfflineState = z.infer<typeof offlineState>

const result = z.object({ jobId: z.string().check(z.maxLength(100)), output: z.int().check(z.gte(0)) })
const nothing = z.undefined()
/** Where a file waits to be started, and settings of its own. */
const waiting = { page: z.string().check(z.maxLength(200)), options: z.optional(z.record(z.string(), z.unknown())) }

/** One question of the page to the main process, with the shapes of what it takes and gives. */
export interface Channel<Request extends z.ZodMiniType = z.ZodMiniType, Reply extends z.ZodMiniType = z.ZodMiniType> {
  readonly request: Request
  readonly reply: Reply
}
const channel = <const Request extends z.ZodMiniType, const Reply extends z.ZodMiniType>(
  request: Request,
  reply: Reply,
): Channel<Request, Reply> => ({ request, reply })

/**
 * All the page can ask the main process for; what is not here does not exist for it. Failures come as `{code, data}` of the table of errors.
 * Everything about jobs goes over `CLIENT_ORIGIN/api/jobs…`, in the words of `api/jobs`, with a granted file's `key` for an upload's.
 */
export const channels = {
  /** Grants files that were picked or dropped. The preload script alone names paths, and only those of real `File`s; undefined where a path may not be used. */
  'files:grant': channel(
    z.array(z.object({ file: z.string(), path: z.optional(z.string()) })).check(z.maxLength(2000)),
    z.array(z.union([grantedFile, z.object({ error: z.object({ code: z.string(), data: z.unknown() }) })])),
  ),
  /** Keeps a file that lies nowhere, a pasted picture, and grants it. */
  'files:keep': channel(z.object({ name: z.string().check(z.maxLength(1000)), bytes: z.instanceof(Uint8Array) }), grantedFile),
  /** Says that the page is there, and takes the files that came before it: by the command line, Send-to or the context menu. */
  'files:arrived': channel(nothing, z.array(grantedFile)),
  /** Notes all files on the page that were not started yet, with their own settings, so that they are there again after a crash. */
  'files:note-waiting': channel(z.array(z.object({ key, ...waiting })).check(z.maxLength(20_000)), nothing),
  /** Takes those that were noted when the page or the client crashed. */
  'files:waiting': channel(nothing, z.array(z.extend(grantedFile, waiting))),
  'settings:read': channel(nothing, clientSettings),
  'settings:change': channel(
    z.object({ notify: z.optional(z.boolean()), updates: z.optional(z.boolean()), place: z.optional(outputPlace) }),
    clientSettings,
  ),
  /** Asks for a folder for results; the settings as they are afterwards. */
  'settings:choose-folder': channel(nothing, clientSettings),
  /** Opens a result in the program that is there for it. Fails with `result.gone`. */
  'results:open': channel(result, nothing),
  /** Shows a result in its folder. Fails with `result.gone`. */
  'results:show': channel(result, nothing),
  /** Asks where to, and copies a result there; whether it did. */
  'results:save-as': channel(result, z.boolean()),
  /** Opens the website in the browser, counted as this computer. */
  'site:open': channel(z.object({ path: z.string().check(z.maxLength(200)) }), nothing),
  'quota:offline': channel(nothing, offlineState),
  'updates:state': channel(nothing, updateState),
  'updates:check': channel(nothing, updateState),
  /** Downloads the update that was found. */
  'updates:download': channel(nothing, updateState),
  /** Ends the client and installs the update that is ready. */
  'updates:install': channel(nothing, nothing),
} as const satisfies Readonly<Record<string, Channel>>

/** A channel's name. */
export type ChannelName = keyof typeof channels
/** What a channel takes. */
export type RequestOf<Name extends ChannelName> = z.infer<(typeof channels)[Name]['request']>
/** What a channel gives. */
export type ReplyOf<Name extends ChannelName> = z.infer<(typeof channels)[Name]['reply']>

/** What a menu or its shortcut asks the page to do. */
export const menuCommand = z.enum(['open-files', 'open-folder', 'start', 'cancel-all', 'clear', 'settings', 'sign-in', 'about'])
/** What a menu asks the page to do. */
export type MenuCommand = z.infer<typeof menuCommand>

/** What the main process tells the page without being asked. */
export const news = {
  /** Files came: by a second start of the client, Send-to or the context menu. */
  'files-arrived': z.array(grantedFile),
  'menu-command': menuCommand,
  /** What a sign-in at WeChat came back with, in a window of its own: the query that the website's page finds in its address. */
  'wechat-returned': z.string(),
  'update-changed': updateState,
  'offline-changed': offlineState,
} as const
/** What the main process tells of. */
export type NewsName = keyof typeof news
/** What comes with news. */
export type NewsOf<Name extends NewsName> = z.infer<(typeof news)[Name]>

/** An answer as it crosses from the main process: what was asked for, or a failure of the table of errors. */
export type Answer<Data> = { readonly data: Data } | { readonly error: WireError }

/** A picked or dropped file, with the folder it was picked from. `Picked` is the browser's `File`: only the preload script can tell where it lies. */
export interface Placed<Picked> {
  readonly file: Picked
  readonly path?: string
}

/** What the preload script puts into `window`. */
export interface Desktop<Picked> {
  readonly version: string
  ask<Name extends Exclude<ChannelName, 'files:grant'>>(name: Name, request: RequestOf<Name>): Promise<Answer<ReplyOf<Name>>>
  /** Grants files, in their order. */
  grant(files: readonly Placed<Picked>[]): Promise<Answer<ReplyOf<'files:grant'>>>
  /** Hears news until the returned function is called. */
  hear<Name extends NewsName>(name: Name, tell: (told: NewsOf<Name>) => void): () => void
}
