import { z } from 'zod/mini'
import type { Vault } from './vault.ts'
import { readSite } from '#shared/api/site'
import { listTools } from '#shared/api/tools'
import { confirmWxlogin, login, loginByOrder, quota, tourist } from '#shared/api/user'

const KEPT = 'answers'
/** What the page can't begin without. */
const wanted: ReadonlySet<string> = new Set([tourist, quota, listTools, readSite].map(({ path }) => `/api${path}`))
/** Whose answers say who one is from then on, as the tourist's does. */
const entries: ReadonlySet<string> = new Set([login, loginByOrder, confirmWxlogin].map(({ path }) => `/api${path}`))

const TOURIST = `/api${tourist.path}`
const QUOTA = `/api${quota.path}`
const answers = z.record(z.string(), z.string())
const person = z.object({ data: z.object({ openid: z.string(), username: z.optional(z.string()), nickname: z.optional(z.string()) }) })

/** What stands in for a guest's identity until the server can be asked: it asks anew then, as for any that is none of its own. */
const NOBODY = JSON.stringify({ data: { userid: 'offline', username: '游客' } })

/** What the server last said to the calls a page begins with, to say it again while it can't be reached. */
export class LastAnswers {
  readonly #vault: Vault
  #answers: Record<string, string>

  constructor(vault: Vault) {
    this.#vault = vault
    const text = vault.read(KEPT)
    const parsed = answers.safeParse(text === undefined ? {} : JSON.parse(text))
    this.#answers = parsed.success ? parsed.data : {}
  }

  /** Whether a call's answer is to be told to `hear`. */
  isHeard(path: string): boolean {
    return wanted.has(path) || entries.has(path)
  }

  /** Takes note of what the server answered. */
  hear(path: string, body: string): void {
    if (wanted.has(path)) return this.#keep(path, body)
    const parsed = person.safeParse(JSON.parse(body))
    if (!parsed.success) return
    const { openid, username, nickname } = parsed.data.data
    this.#keep(TOURIST, JSON.stringify({ data: { userid: openid, username: username ?? nickname ?? '' } }))
  }

  /** What the server last said; undefined for all other calls, and where it never said anything. */
  say(path: string): string | undefined {
    if (!wanted.has(path)) return undefined
    return this.#answers[path] ?? (path === TOURIST ? NOBODY : undefined)
  }

  #keep(path: string, body: string): void {
    if (this.#answers[path] === body) return
    // What is left belongs to who one was.
    const stays = Object.entries(this.#answers).filter(([one]) => path !== TOURIST || one !== QUOTA)
    this.#answers = { ...Object.fromEntries(stays), [path]: body }
    this.#vault.write(KEPT, JSON.stringify(this.#answers))
  }
}
