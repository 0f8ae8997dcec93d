import { drawInThisProcess } from '#engine/codecs/svg/draw-svg'
import { serve } from '#engine/serve'
import type { Order } from '#engine/processor'

// An Electron utility process, which `launchUtility` has started. Forking Node is switched off in the packed client. It ends with the main
// process by itself: its pipe is cut.
const { parentPort } = process
drawInThisProcess()
// pdf.js asks this to tell a page of Electron's from a Node process, and takes every process but the main one for a page.
Object.defineProperty(process, 'type', { value: 'browser' })

serve({
  tell: (report) => parentPort.postMessage(report),
  onOrder: (take) => parentPort.on('message', ({ data }) => take(data as Order)), // only the pool writes to this port
})
