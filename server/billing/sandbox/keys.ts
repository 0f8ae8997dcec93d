import { createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { codeOf } from '#engine/failures'
import { randomText } from '#server/secrets'

const stored = z.object({
  /** The merchant's private key, at both stand-ins. */
  merchant: z.string(),
  /** The gateway's private key, as both providers. */
  platform: z.string(),
  apiV3Key: z.string().length(32),
})

/** The keys of both sides of a sandbox, in PEM. */
export type SandboxKeys = z.infer<typeof stored>

/** Who the merchant is at the sandbox. Numbers of the kind the providers give, that they gave to nobody. */
export const sandboxMerchant = {
  alipayAppId: '9021000000000000',
  alipaySellerId: '2088000000000000',
  wechatAppId: 'wx0000000000000000',
  wechatMchId: '1900000000',
  wechatSerial: '0000000000000000000000000000000000000001',
  wechatPlatformSerial: 'PUB_KEY_ID_0000000000000000000000000002',
} as const

/** The public half of a private key, in PEM. */
export const publicHalf = (privateKey: string): string => String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }))

async function newPrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

/** New keys, which nobody else has. */
export const newSandboxKeys = async (): Promise<SandboxKeys> => ({
  merchant: await newPrivateKey(),
  platform: await newPrivateKey(),
  apiV3Key: randomBytes(24).toString('base64url'),
})

/** The keys of this installation, made when they are first needed and readable by this user only. */
export async function openSandboxKeys(folder: string): Promise<SandboxKeys> {
  const file = join(folder, 'sandbox-keys.json')
  const found = await readFile(file, 'utf8').catch(() => undefined)
  if (found !== undefined) return stored.parse(JSON.parse(found))
  await mkdir(folder, { recursive: true })
  const written = `${file}.${randomText(8)}`
  await writeFile(written, JSON.stringify(await newSandboxKeys()), { mode: 0o600, flag: 'wx', flush: true })
  try {
    // Whole, or not at all; of two who make it at once, one does.
    await link(written, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(written)
  }
  return stored.parse(JSON.parse(await readFile(file, 'utf8')))
}
