import { InferenceSession } from 'onnxruntime-node'

const threads = (): number => Math.max(1, Math.trunc(Number(process.env['AI_THREADS'] ?? 1)) || 1)

// Since 1.29 the runtime tells its maker of every model and machine it runs on, unless it is told not to before its first session.
process.env['ORT_DISABLE_TELEMETRY'] = '1'

/**
 * Loads a model, with `AI_THREADS` threads (1 where nothing is said: a machine is used by several children). One that is `frugal` gives its memory
 * back between steps: a tenth more time for a large model and 0.3 GB less, a third more for a small one.
 */
export const openSession = (path: string, frugal = false): Promise<InferenceSession> =>
  InferenceSession.create(path, {
    executionProviders: ['cpu'],
    // Without it a model of 1024 px takes 1.4 GB in place of 2.2, at the same speed; without the arena too 1.1.
    enableMemPattern: false,
    enableCpuMemArena: !frugal,
    intraOpNumThreads: threads(),
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })

const kept = new Map<string, Promise<InferenceSession>>()

/** The session of a small model, loaded once and kept beside others: all of them together take less than a matte's. */
export async function keptSession(path: string): Promise<InferenceSession> {
  const session = kept.get(path) ?? openSession(path)
  kept.set(path, session)
  try {
    return await session
  } catch (thrown) {
    // The next picture tries again.
    kept.delete(path)
    throw thrown
  }
}

let held: { readonly path: string; readonly session: Promise<InferenceSession> } | undefined

/** The session of a model, loaded once and kept: a process holds one such session, so another model's goes before this one comes. */
export async function sessionOf(path: string, frugal = false): Promise<InferenceSession> {
  if (held?.path === path) return held.session
  const session = released(held?.session).then(() => openSession(path, frugal))
  held = { path, session }
  try {
    return await session
  } catch (thrown) {
    // The next picture tries again.
    if (held?.session === session) held = undefined
    throw thrown
  }
}

const released = async (session: Promise<InferenceSession> | undefined): Promise<void> => {
  await session?.then(
    (former) => former.release(),
    () => {},
  )
}
