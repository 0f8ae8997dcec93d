import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBuffer, type Entry } from 'yauzl'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { unzip } from '../fixtures/unzip.ts'
import { localLimits } from '#engine/limits'
import type { InputFile } from '#engine/processor'
import { run } from '#engine/run'
import { parseOptions } from '#shared/tools/index'

interface Source {
  readonly name: string
  readonly folder?: string
  readonly content: Buffer
}

async function pack(folder: string, sources: readonly [Source, ...Source[]], options: object = {}) {
  const place = async ({ content, ...file }: Source, n: number): Promise<InputFile> => {
    const path = join(folder, `source-${n}`)
    await writeFile(path, content)
    return { ...file, path }
  }
  const [head, ...tail] = sources
  const inputs = [await place(head, 0), ...(await Promise.all(tail.map((one, n) => place(one, n + 1))))] as const
  const out = await mkdtemp(join(folder, 'out-'))
  const told: number[] = []
  const context = { folder: out, limits: localLimits, msLeft: () => 60_000, progress: (share: number) => void told.push(share) }
  const outputs = await run({ tool: 'pack-zip', options: parseOptions('pack-zip', options), inputs }, context)
  return { outputs, told }
}

const entriesIn = (bytes: Buffer): Promise<readonly Entry[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: false }, (failure, zip) => {
      if (failure) return reject(failure)
      const found: Entry[] = []
      zip.on('entry', (entry: Entry) => found.push(entry))
      zip.on('end', () => resolve(found))
      zip.on('error', reject)
    })
  })

const words = Buffer.from('第一季度报销单\n'.repeat(20_000))

describe('a zip', () => {
  test('holds every file in its folder, under its Chinese name marked as UTF-8', async () => {
    await using folder = await testFolder()
    const { outputs, told } = await pack(folder.path, [
      { name: '报销单.txt', folder: '资料/一月', content: words },
      { name: '照片.jpg', folder: '资料', content: randomBytes(30_000) },
      { name: '空.txt', folder: '资料', content: Buffer.alloc(0) },
    ])
    const [output] = outputs
    expect(outputs.map(({ name, format }) => [name, format])).toEqual([['资料.zip', 'zip']])
    const bytes = await readFile(output?.path ?? '')
    expect(bytes.length).toBe(output?.bytes)
    const files = await unzip(bytes)
    expect([...files.keys()]).toEqual(['资料/一月/报销单.txt', '资料/照片.jpg', '资料/空.txt'])
    expect(files.get('资料/一月/报销单.txt')?.equals(words)).toBe(true)
    for (const entry of await entriesIn(bytes)) expect(entry.generalPurposeBitFlag & 0x800).toBe(0x800)
    expect(bytes.length).toBeLessThan(45_000)
    expect(told.at(-1)).toBe(1)
  })

  test('keeps files of one name apart, of either case too', async () => {
    await using folder = await testFolder()
    const content = Buffer.from('x')
    const { outputs } = await pack(folder.path, [
      { name: 'a.txt', content },
      { name: 'A.TXT', content },
      { name: '../../a.txt', content },
    ])
    const files = await unzip(await readFile(outputs[0]?.path ?? ''))
    expect([...files.keys()]).toEqual(['a.txt', 'A (1).TXT', 'a (2).txt'])
  })

  test('keeps a file apart from a folder of its name', async () => {
    await using folder = await testFolder()
    const content = Buffer.from('x')
    const { outputs } = await pack(folder.path, [
      { name: '相册.jpg', content },
      { name: 'a.txt', folder: '相册.JPG/一', content },
    ])
    const files = await unzip(await readFile(outputs[0]?.path ?? ''))
    expect([...files.keys()]).toEqual(['相册 (1).jpg', '相册.JPG/一/a.txt'])
  })

  test('takes the name asked for, made safe', async () => {
    await using folder = await testFolder()
    const { outputs } = await pack(folder.path, [{ name: 'a.txt', content: words }], { name: ' ../合同:终版 ' })
    expect(outputs[0]?.name).toBe('合同终版.zip')
  })
})

describe('a password', () => {
  test('encrypts with AES-256, as another program opens it', async () => {
    await using folder = await testFolder()
    const { outputs } = await pack(folder.path, [{ name: '合同.txt', content: words }], { password: '密码 123' })
    const path = outputs[0]?.path ?? ''
    const bytes = await readFile(path)
    const [entry] = await entriesIn(bytes)
    // APPNOTE appendix E: method 99, and in the extra field 0x9901 the strength 3 = AES-256.
    expect(entry?.compressionMethod).toBe(99)
    expect(entry?.extraFields.find(({ id }) => id === 0x9901)?.data[4]).toBe(3)
    expect(bytes.includes(Buffer.from('报销单'))).toBe(false)
    const out = join(folder.path, 'opened')
    await mkdir(out)
    execFileSync('7zz', ['x', '-p密码 123', `-o${out}`, path], { stdio: 'pipe' })
    expect((await readFile(join(out, '合同.txt'))).equals(words)).toBe(true)
    expect(() => execFileSync('7zz', ['t', '-pwrong', path], { stdio: 'pipe' })).toThrow('Wrong password')
  })
})

describe('a limit for each archive', () => {
  test('makes zips that keep to it, each of which opens by itself, and loses nothing', async () => {
    await using folder = await testFolder()
    const sources = Array.from({ length: 9 }, (_, n) => ({ name: `${n}.bin`, folder: '扫描', content: randomBytes(400_000) }))
    const [first, ...others] = sources
    if (!first) throw new Error('no source')
    const { outputs } = await pack(folder.path, [first, ...others, { name: '说明.txt', content: words }], { splitMb: 1, name: '资料' })
    expect(outputs.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5].map((n) => `资料-${n}.zip`))
    const all = new Map<string, Buffer>()
    for (const { path, bytes } of outputs) {
      expect(bytes).toBeLessThanOrEqual(1024 ** 2)
      for (const [name, content] of await unzip(await readFile(path))) all.set(name, content)
    }
    expect(all.size).toBe(10)
    for (const { name, content } of sources) expect(all.get(`扫描/${name}`)?.equals(content)).toBe(true)
  })

  test('fills an archive up to it with what deflates well', async () => {
    await using folder = await testFolder()
    const source = (n: number) => ({ name: `${n}.txt`, content: Buffer.from(`${n} ${'一行文字 '.repeat(200_000)}`) })
    const { outputs } = await pack(folder.path, [source(0), source(1), source(2), source(3)], { splitMb: 1 })
    expect(outputs).toHaveLength(1)
  })

  test('names the file that does not fit alone', async () => {
    await using folder = await testFolder()
    const packed = pack(folder.path, [{ name: '大.bin', content: randomBytes(1_200_000) }], { splitMb: 1 })
    await expect(packed).rejects.toMatchObject({ code: 'archive.entry-too-large', data: { name: '大.bin', limitBytes: 1024 ** 2 } })
  })

  test('holds at its very edge, encrypted, with long names', async () => {
    await using folder = await testFolder()
    const long = '很长的文件名'.repeat(10)
    for (const bytes of [1024 ** 2 - 3000, 1024 ** 2 - 1200, 1024 ** 2 - 900, 1024 ** 2 - 700]) {
      const packed = pack(folder.path, [{ name: `${long}.jpg`, content: randomBytes(bytes) }], { splitMb: 1, password: 'p' })
      const sizes = await packed.then(
        ({ outputs }) => outputs.map((output) => output.bytes),
        (error: unknown) => (expect(error).toMatchObject({ code: 'archive.entry-too-large' }), []),
      )
      for (const size of sizes) expect(size).toBeLessThanOrEqual(1024 ** 2)
    }
  })
})
