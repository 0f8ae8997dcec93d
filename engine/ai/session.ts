import { InferenceSession } from 'onnxruntime-node'

const threads = (): number => Math.max(1, Math.trunc(Number(process.env['AI_THREADS'] ?? 1)) || 1)

// Since 1.29 the runtime tells its maker of every model and machine it runs on, unless it is told not to before its first session.
process.env['ORT_DISABLE_TELEMETRY'] = '1'

/** Loads a model, with `AI_THREADS` threads (1 where nothing is said: a machine is used by several children). */
export const openSession = (path: string): Promise<InferenceSession> =>
  InferenceSession.create(path, {
    executionProviders: ['cpu'],
    // Without the one a model of 1024 px takes 1.4 GB in place of 2.2, without the other 1.1, and a tenth more time.
    enableMemPattern: false,
    enableCpuMemArena: false,
    intraOpNumThreads: threads(),
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })

let held: { readonly path: string; readonly session: Promise<InferenceSession> } | undefined

/** The session of a model, loaded once and kept: a process holds one such session, so another model's goes before this one comes. */
export async function sessionOf(path: string): Promise<InferenceSession> {
  if (held?.path === path) return held.session
  const session = released(held?.session).then(() => openSession(path))
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
