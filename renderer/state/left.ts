import { atom } from 'jotai'
import { quotaAtom } from './account.ts'
import { perPage } from './rows.ts'
import { findPage } from '#shared/tools/index'

/** How many files of a page may still be processed, without end for Infinity; undefined until the server has said. */
export const leftAtom = perPage((page) =>
  atom((get): number | undefined => {
    const cost = findPage(page)?.tool.cost
    const quota = get(quotaAtom)
    if (cost === undefined || cost === 'free') return Infinity
    if (!quota) return undefined
    if (quota.isForever) return Infinity
    return quota.isMember ? quota.cvtnumRelRemain + quota.cvtnumNoAiRemain : quota.free[cost]
  }),
)
