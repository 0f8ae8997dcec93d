/** Whether this container answers: for Docker, which has no curl here. What a part of it lacks is for /readyz, and does not restart it. */
const answer = await fetch(`http://127.0.0.1:${process.env['PORT'] ?? 8080}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => undefined,
)
process.exitCode = answer?.ok ? 0 : 1
