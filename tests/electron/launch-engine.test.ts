import { describe, expect, test, vi } from 'vitest'
import { endOf } from '#electron/launch-engine'
import { ChildDied } from '#engine/lane'

vi.mock('electron', () => ({ app: {}, utilityProcess: {} }))

/** Whether the engine takes an end for somebody else's doing. */
const wasKilled = (...end: Parameters<typeof endOf>): boolean => new ChildDied('job.failed', {}, { cause: endOf(...end) }).wasKilled

const trace = `Error: broken\n    at run (file:///C:/app/engine-child.js:1:1)`

describe('the end of a process', () => {
  test.each([
    ['SIGKILL', 9, '', 'linux', true],
    ['SIGTERM', 15, '', 'linux', true],
    ['a crash', 11, '', 'linux', false],
    ['a crash with a core', 139, '', 'linux', false],
    ['a script that failed', 256, trace, 'linux', false],
    ['a decoder that aborted', 6, 'free(): invalid pointer', 'linux', false],
    ['the Task Manager', 1, '', 'win32', true],
    ['the Task Manager after a warning', 1, 'GLib-WARNING: whatever', 'win32', true],
    ['a script that failed on Windows', 1, trace, 'win32', false],
    ['an access violation', 0xc0000005, '', 'win32', false],
    ['9 on Windows', 9, '', 'win32', false],
  ] as const)('by %s', (_what, code, complaints, platform, isOutside) => {
    expect(wasKilled(code, complaints, platform)).toBe(isOutside)
  })

  test('is told to the log with what the process said', () => {
    expect(endOf(11, 'malloc: corrupt', 'linux')).toBe('exit 11 malloc: corrupt')
  })
})
