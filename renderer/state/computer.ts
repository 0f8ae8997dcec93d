import { entered } from './session.ts'
import { transport } from '../platform/http.ts'
import { joinDevice } from '#shared/api/devices'
import { CONTROL_MS, send } from '#shared/api/send'

/**
 * The client opens the site with a ticket after `#computer=`, which no server and no referrer sees: from then on both count as one of
 * the member's computers. Where the ticket is no good, the browser is a computer of its own, as any other.
 */
export async function joinComputer(): Promise<void> {
  const [, ticket] = /^#computer=([\w-]{1,100})$/.exec(location.hash) ?? []
  if (ticket === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  await entered()
  await send(transport, joinDevice, { ticket }, { deadlineMs: CONTROL_MS })
}
