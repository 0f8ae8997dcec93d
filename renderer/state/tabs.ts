import { ifKept } from '../platform/kept.ts'
import { newId, tabLocks } from '../platform/unsecured.ts'

/** Which tab a job was started in, so that each tab shows its own, and a closed tab's are found again. */
interface Origin {
  readonly page: string
  readonly tab: string
}

const TAB_KEY = 'tab'
const JOBS_KEY = 'jobs'
const REMEMBERED = 2000

let tab = ifKept(() => sessionStorage.getItem(TAB_KEY)) ?? newId()

/** Takes this tab's name for as long as it lives; a duplicated tab, which copies it, takes another. */
export async function takeName(): Promise<void> {
  const isMine = await hold(tab)
  if (!isMine) {
    tab = newId()
    await hold(tab)
  }
  ifKept(() => sessionStorage.setItem(TAB_KEY, tab))
}

const hold = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (!tabLocks) resolve(true)
    void tabLocks?.request(`tab:${name}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      // Held until the tab closes.
      return lock === null ? undefined : new Promise<never>(() => {})
    })
  })

function origins(): Record<string, Origin> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(JOBS_KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, Origin>) : {} // written only below
  } catch {
    return {}
  }
}

/** Remembers where jobs belong. */
export function rememberJobs(page: string, jobIds: readonly string[]): void {
  const all = [...Object.entries(origins()), ...jobIds.map((id): [string, Origin] => [id, { page, tab }])]
  ifKept(() => localStorage.setItem(JOBS_KEY, JSON.stringify(Object.fromEntries(all.slice(-REMEMBERED)))))
}

/** The page a job belongs to, if this tab is to show it: its own, or one whose tab is gone. */
export async function pageOfJob(jobId: string): Promise<string | undefined> {
  const origin = origins()[jobId]
  if (!origin || origin.tab === tab) return origin?.page
  const locks = await tabLocks?.query()
  if (locks?.held?.some(({ name }) => name === `tab:${origin.tab}`)) return undefined
  rememberJobs(origin.page, [jobId])
  return origin.page
}

/** Jobs in the order in which they were handed in, as far as this browser remembers. */
export function inOrder<T extends { readonly id: string }>(views: readonly T[]): readonly T[] {
  const places = new Map(Object.keys(origins()).map((id, place) => [id, place]))
  return views.toSorted((left, right) => (places.get(left.id) ?? 0) - (places.get(right.id) ?? 0))
}
