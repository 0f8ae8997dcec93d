import { atom } from 'jotai'
import { quotaAtom } from './account.ts'
import { perPage } from './rows.ts'
import { settingsAtom } from './settings.ts'
import type { Cost } from '#shared/tools/define'
import { costOf, findPage } from '#shared/tools/index'

/** What a file of a page weighs under its settings. */
export const costAtom = perPage((page) =>
  atom((get): Cost => {
    const found = findPage(page)
    return found ? costOf(found.tool.id, get(settingsAtom(page))) : 'free'
  }),
)

/** How many files of a page may still be processed, without end for Infinity; undefined until the server has said. */
export const leftAtom = perPage((page) =>
  atom((get): number | undefined => {
    const cost = get(costAtom(page))
    const quota = get(quotaAtom)
    if (cost === 'free') return Infinity
    if (!quota) return undefined
    if (quota.isForever) return Infinity
    return quota.isMember ? quota.cvtnumRelRemain + quota.cvtnumNoAiRemain : quota.free[cost]
  }),
)
