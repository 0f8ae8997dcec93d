import { serve } from './serve.ts'

// A Node process that `launchNode` has forked. The desktop client's children are Electron's, and serve by another way.
serve({
  tell: (report) => void process.send?.(report),
  onOrder: (take) => process.on('message', take),
})
// Ctrl-C reaches the whole process group; what becomes of a job is the parent's decision.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The parent died: nobody will take the result.
process.on('disconnect', () => process.exit())
