import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { root } from '#build/setup'
import { updateWords } from '#renderer/client/update-words'
import { inClient } from '#renderer/client/words'
import { statusText } from '#renderer/row-text'
import { messageOf, onSite, speak } from '#renderer/words'

afterEach(() => speak(onSite))

/** Everything said in some words, in one string; `{data}` of failures made up. */
const allOf = (words: object): string =>
  Object.values(words)
    .map((one: unknown) => {
      if (typeof one === 'function') return String(one(true)) + String(one(false))
      return typeof one === 'object' && one !== null ? allOf(one) : String(one)
    })
    .join('\n')

test('the client says nothing of uploads, downloads, hours, servers or clouds', () => {
  const { failures, ...others } = inClient
  const told = Object.values(failures).map((text) => text({ limitBytes: 1, formats: 'JPG', maxPages: 1 } as never)) // what any of them needs
  expect(allOf(others) + told.join('')).not.toMatch(/上传|下载|小时|服务器|云/)
})

test('a row in the client waits to be processed, on the website to be uploaded', () => {
  expect(statusText({ at: 'waiting' }).text).toBe('等待上传')
  speak(inClient)
  expect(statusText({ at: 'waiting' }).text).toBe('等待处理')
  expect(statusText({ at: 'expired' }).text).not.toContain('上传')
})

test('a failure is said in the words of where the page runs, and in the common ones where those will do', () => {
  const tooLarge = { code: 'file.too-large', data: { limitBytes: 2 * 1024 ** 3 } } as const
  expect(messageOf(tooLarge)).toContain('使用客户端')
  speak(inClient)
  expect(messageOf(tooLarge)).toBe('文件超过 2 GB，请先拆分或缩小后再处理。')
  expect(messageOf({ code: 'file.empty', data: {} })).toBe('这是一个空文件，请检查后重新选择。')
})

test('a file of the page asks for the words of failures where they know of the client', () => {
  const files = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const astray = files.filter((name) => /messageOf[^}]*\} from '#shared/.test(readFileSync(join(root, 'renderer', name), 'utf8')))
  expect(astray).toEqual(['words.ts'])
})

test.each([
  [{ at: 'idle' }, '当前版本 1.2.3', 'updates:check'],
  [{ at: 'checking' }, '正在检查更新…', undefined],
  [{ at: 'current' }, '当前版本 1.2.3，已是最新', 'updates:check'],
  [{ at: 'found', version: '1.3.0' }, '发现新版本 1.3.0', 'updates:download'],
  [{ at: 'downloading', version: '1.3.0', fraction: 0.429 }, '正在下载新版本 1.3.0… 42%', undefined],
  [{ at: 'ready', version: '1.3.0' }, '新版本 1.3.0 已下载，重新启动后更新', 'updates:install'],
  [{ at: 'failed' }, '更新没有完成，请检查网络后重试', 'updates:check'],
] as const)('of an update that stands at %o it says %s', (state, text, step) =>
  expect(updateWords(state, '1.2.3')).toMatchObject({ text, ...(step && { step }) }),
)
