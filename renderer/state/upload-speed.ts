/** A speed is told once there is this much to go by, in milliseconds: the first pieces leave a buffer, not the machine. */
const FIRST_MS = 1000
/** Speeds are of this last while, so that a line that slows down is seen to. */
const WINDOW_MS = 4000

/** Bytes a second of an upload, told from what was sent when; undefined in its first second. Times in milliseconds, of any clock. */
export function uploadSpeed(): (bytes: number, nowMs: number) => number | undefined {
  const seen: { bytes: number; atMs: number }[] = []
  return (bytes, nowMs) => {
    seen.push({ bytes, atMs: nowMs })
    while (seen.length > 2 && nowMs - (seen[1]?.atMs ?? nowMs) >= WINDOW_MS) seen.shift()
    const [first] = seen
    if (!first || nowMs - first.atMs < FIRST_MS) return undefined
    return Math.max(0, bytes - first.bytes) / ((nowMs - first.atMs) / 1000)
  }
}
