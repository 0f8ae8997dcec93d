import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { ConfigError } from '#server/config'

/** The text of a key that is given itself or by its file. */
const textOf = (given: string): string => (given.length < 1000 && existsSync(given) ? readFileSync(given, 'utf8') : given)

/** Tries the ways in which people get keys from the providers: PEM, or its Base64 alone in one of two wrappings. */
function read(name: string, given: string, ways: readonly ((text: string) => KeyObject)[]): KeyObject {
  const text = textOf(given.trim()).trim()
  for (const way of ways) {
    try {
      return way(text)
    } catch {
      // perhaps it is of the next kind
    }
  }
  throw new ConfigError(`${name} 不是可用的密钥：请填写 PEM 或 Base64 内容，或密钥文件的路径。`)
}

const der = (text: string): Buffer => Buffer.from(text, 'base64')

/** A private key of the environment. Throws ConfigError naming the variable, never its value. */
export const readPrivateKey = (name: string, given: string): KeyObject =>
  read(name, given, [
    (text) => createPrivateKey(text),
    (text) => createPrivateKey({ key: der(text), format: 'der', type: 'pkcs8' }),
    (text) => createPrivateKey({ key: der(text), format: 'der', type: 'pkcs1' }),
  ])

/** A public key, or a certificate's. Throws ConfigError naming the variable. */
export const readPublicKey = (name: string, given: string): KeyObject =>
  read(name, given, [
    (text) => createPublicKey(text),
    (text) => createPublicKey({ key: der(text), format: 'der', type: 'spki' }),
    (text) => createPublicKey({ key: der(text), format: 'der', type: 'pkcs1' }),
  ])
