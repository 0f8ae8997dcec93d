/** Holds a data folder while its parent keeps the channel open; or says who has it. */
import { DataFolderInUse, lockFolder } from '#server/database/lock'

const [folder = ''] = process.argv.slice(2)
try {
  await lockFolder(folder)
  process.on('message', () => {}) // keeps it alive
  process.send?.({ held: true })
} catch (error) {
  if (!(error instanceof DataFolderInUse)) throw error
  process.send?.({ held: false, pid: error.pid })
  process.disconnect()
}
