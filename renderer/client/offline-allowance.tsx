import { useEffect, useState } from 'react'
import { offlineText } from './offline-text.ts'
import { told } from './client-state.ts'
import { ask } from '../platform/ask.ts'
import { desktop } from '../platform/desktop.ts'
import { Fact } from '../ui/facts.tsx'
import type { OfflineState } from '#shared/desktop'

/** A line of a member's rights: how long this computer may work without a network. */
export function OfflineAllowance() {
  const [state, setState] = useState<OfflineState | undefined>()
  useEffect(() => {
    void told('', async () => setState(await ask('quota:offline', undefined)))
    return desktop?.hear('offline-changed', setState)
  }, [])
  return <Fact name="断网可用">{state === undefined ? '' : offlineText(state)}</Fact>
}
