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

/** Of the five steps in which zxcvbn tells how many guesses a password withstands, the last: ten thousand million and more. */
const BEYOND_GUESSING = 4

/**
 * Whether whoever guesses comes to a password (Wheeler, "zxcvbn: low-budget password strength estimation", USENIX Security 2016): one of 49,000
 * leaked ones, words, rows of the keyboard, dates, or what is put together of these. The lists are loaded only here, once in months.
 */
async function isGuessed(password: string): Promise<boolean> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(password).score < BEYOND_GUESSING
}

/** Whether somebody may have this password: long, of more than a few characters, and nothing that whoever guesses comes to. */
export async function isStrong(password: string, name: string): Promise<boolean> {
  const text = password.normalize('NFC')
  const characters = Array.from(text)
  const has = (word: string): boolean => text.toLowerCase().includes(word.toLowerCase())
  if (characters.length < LEAST_CHARACTERS || new Set(characters).size < LEAST_KINDS || [name, ...PRODUCT].some(has)) return false
  return !(await isGuessed(text))
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
