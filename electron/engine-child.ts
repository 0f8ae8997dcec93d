import { serve } from '#engine/serve'
import type { Order } from '#engine/processor'

// An Electron utility process, which `launchUtility` has started. Forking Node is switched off in the packed client. It ends with the main
// process by itself: its pipe is cut.
const { parentPort } = process

serve({
  tell: (report) => parentPort.postMessage(report),
  onOrder: (take) => parentPort.on('message', ({ data }) => take(data as Order)), // only the pool writes to this port
})
