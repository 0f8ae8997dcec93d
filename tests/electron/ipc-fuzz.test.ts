import { expect, test, vi } from 'vitest'
import { fuzzClient } from '../fixtures/fuzz/client.ts'

vi.mock('electron', async () => (await import('../fixtures/fuzz/electron.ts')).electron)

test('400 questions of a page that was taken over are refused or answered as the contract says', async () => {
  const heard = await fuzzClient({ seed: 7, requests: 400 })
  expect(heard).toHaveLength(400)
  expect(heard.filter(({ fault }) => fault !== undefined)).toEqual([])
  const codes = new Set(heard.map(({ code }) => code))
  expect([codes.has('done'), codes.has('request.invalid')]).toEqual([true, true])
})
