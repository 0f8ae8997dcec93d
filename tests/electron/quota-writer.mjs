/** A client's quota in a process of its own, without a network: ends jobs, says each once it is noted, and goes on until it is killed. */
import { openQuota } from '#electron/quota/open-quota'

const [folder = '', first = '0'] = process.argv.slice(2)
const quota = await openQuota({
  folder,
  transport: () => Promise.reject(new TypeError('fetch failed')),
  who: () => undefined,
  seal: {
    encryptString: (text) => Buffer.from(Buffer.from(text).toString('base64')),
    decryptString: (bytes) => Buffer.from(bytes.toString(), 'base64').toString(),
  },
  now: Date.now,
  log: (message, error) => process.send?.({ message, error: String(error) }),
})
for (let n = Number(first); ; n += 3) {
  const ids = [n, n + 1, n + 2]
  await Promise.all(ids.map((id) => quota.settle(`job-${id}`, id % 2 ? 'released' : 'committed')))
  process.send?.(n + 2)
}
