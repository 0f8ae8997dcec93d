import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

/** As strong as OWASP's first choice (N = 2^17, p = 1) on a quarter of its memory. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const MAX_MEMORY = 64 * 1024 ** 2
const KEY_BYTES = 32

/** A password as it is kept: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password.normalize('NFC'), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY })
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

const LEAST_CHARACTERS = 15
const LEAST_KINDS = 8
/** What whoever guesses begins with. */
const PRODUCT = ['轻图', 'qingtu']

/** Whether somebody may have this password. Long, and no few characters again and again: then none of the lists of common ones has it. */
export function isStrong(password: string, name: string): boolean {
  const text = password.normalize('NFC')
  const characters = Array.from(text)
  const has = (word: string): boolean => text.toLowerCase().includes(word.toLowerCase())
  return characters.length >= LEAST_CHARACTERS && new Set(characters).size >= LEAST_KINDS && ![name, ...PRODUCT].some(has)
}

/** What is compared where there is nobody: nobody's password, and as slow. */
export const NOBODY = [
  'scrypt',
  COST.N,
  COST.r,
  COST.p,
  Buffer.alloc(16).toString('base64url'),
  Buffer.alloc(KEY_BYTES).toString('base64url'),
].join('$')

/** Whether a password is the one that was hashed. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = hash.split('$')
  const expected = Buffer.from(key, 'base64url')
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: MAX_MEMORY }
  const given = await derive(password.normalize('NFC'), Buffer.from(salt, 'base64url'), expected.length, cost)
  return timingSafeEqual(given, expected)
}
