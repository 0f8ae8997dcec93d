import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { sealOptions, unsealOptions } from '#server/jobs/sealed-options'

const key = randomBytes(32)

it.each(['机', 'secret', 'a'.repeat(60), '密码 with spaces'])('a password %s is not in what is kept, and comes back', (password) => {
  const kept = sealOptions(key, { password, level: 3 })
  expect(JSON.stringify(kept)).not.toContain(password)
  expect(unsealOptions(key, kept)).toEqual({ password, level: 3 })
})

it('a password kept under another key, or changed, is never taken for the password itself', () => {
  const kept = sealOptions(key, { password: '1' })
  expect(() => unsealOptions(randomBytes(32), kept)).toThrow('authenticate')
  const sealed = String(kept['password'])
  expect(() => unsealOptions(key, { password: `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}` })).toThrow('authenticate')
})

it.each(['', 'secret', '机密', '0'.repeat(38), 'a long one of forty characters, with blanks'])(
  'a password %j of a job that has waited since before they were sealed is what it was',
  (password) => expect(unsealOptions(key, { password })).toEqual({ password }),
)
