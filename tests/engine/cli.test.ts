import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { badInputs } from '../fixtures/bad-inputs.ts'
import { testFolder } from '../fixtures/engine.ts'
import { unzip } from '../fixtures/unzip.ts'
import { photo } from '../fixtures/pictures.ts'
import { parseRun, UsageError } from '#engine/cli/arguments'
import { pages } from '#shared/tools/index'

const program = fileURLToPath(new URL('../../build/qingtu.mjs', import.meta.url))

interface Finished {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs the program; with a `temporary` folder of the test's own, what is left there can be seen. */
const qingtu = (words: readonly string[], cwd?: string, temporary = tmpdir()): Promise<Finished> =>
  new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary }
    execFile(process.execPath, [program, ...words], { cwd, env, maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })

interface Line {
  readonly input: string
  readonly path?: string
  readonly outputs: readonly { readonly path: string; readonly bytes: number; readonly width: number }[]
  readonly note?: { readonly kind: string }
  readonly error?: { readonly code: string }
}

const lines = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('qingtu run', () => {
  test('200 files in one call, 10 of them bad: 190 results, 10 reasons, nothing lost', async () => {
    await using folder = await testFolder()
    const good = await Promise.all(Array.from({ length: 19 }, (_, seed) => photo(100, 75, 3, seed).jpeg({ quality: 90 }).toBuffer()))
    const failing = (await badInputs()).filter(({ expected }) => !expected.includes('done')).slice(0, 10)
    const files = [
      ...Array.from({ length: 190 }, (_, index) => ({
        name: `照片 ${index}.jpg`,
        bytes: good[index % good.length] ?? Buffer.alloc(0),
        expected: ['done'],
      })),
      ...failing.map(({ name, bytes, expected }, index) => ({ name: `${index}-${name}`, bytes, expected })),
    ]
    await Promise.all(files.map(({ name, bytes }) => writeFile(join(folder.path, name), bytes)))
    const names = files.map(({ name }) => name).toSorted((left, right) => left.length - right.length)
    const temporary = join(folder.path, 'tmp')
    await mkdir(temporary)
    const { status, out, err } = await qingtu(
      ['run', '/', '--target-kb', '3', '--json', '--out', 'small', ...names],
      folder.path,
      temporary,
    )
    expect([status, err, await readdir(temporary)]).toEqual([1, '', []])
    const reports = new Map(lines(out).map((report) => [report.input, report]))
    expect(reports.size).toBe(200)
    for (const { name, expected } of files) {
      const report = reports.get(name)
      expect(expected).toContain(report?.error?.code ?? 'done')
      for (const { path, bytes } of report?.outputs ?? []) {
        expect(bytes).toBeLessThanOrEqual(3 * 1024)
        expect((await stat(join(folder.path, path))).size).toBe(bytes)
      }
    }
    expect(await readdir(join(folder.path, 'small'))).toHaveLength(190)
  })

  test('packs files and folders into one zip', async () => {
    await using folder = await testFolder()
    await mkdir(join(folder.path, '资料', '一月'), { recursive: true })
    await writeFile(join(folder.path, '资料', '一月', '表.txt'), '表')
    await writeFile(join(folder.path, '资料', '封面.txt'), '封面')
    await writeFile(join(folder.path, '说明.txt'), '说明')
    const { status, out } = await qingtu(['run', '/zip', '--name', '全部', '--out', 'out', '--json', '资料', '说明.txt'], folder.path)
    expect([status, lines(out).map(({ outputs }) => outputs.map(({ path }) => path))]).toEqual([0, [[join('out', '全部.zip')]]])
    const inside = await unzip(await readFile(join(folder.path, 'out', '全部.zip')))
    expect(new Set(inside.keys())).toEqual(new Set(['资料/一月/表.txt', '资料/封面.txt', '说明.txt']))
  })

  test('never overwrites: a taken name gets a number', async () => {
    await using folder = await testFolder()
    await mkdir(join(folder.path, 'a'))
    await mkdir(join(folder.path, 'b'))
    for (const path of ['a/same.jpg', 'b/same.jpg']) await writeFile(join(folder.path, path), await photo(64, 48).jpeg().toBuffer())
    const words = ['run', '/jpg', '--out', 'out', 'a/same.jpg', 'b/same.jpg']
    expect((await qingtu(words, folder.path)).status).toBe(0)
    await writeFile(join(folder.path, 'out/same (1).jpg'), 'mine')
    expect((await qingtu(words, folder.path)).status).toBe(0)
    expect((await readdir(join(folder.path, 'out'))).toSorted()).toEqual(['same (1).jpg', 'same (2).jpg', 'same (3).jpg', 'same.jpg'])
    expect(await readFile(join(folder.path, 'out/same (1).jpg'), 'utf8')).toBe('mine')
  })

  test('names results as asked, by number in the order of the files', async () => {
    await using folder = await testFolder()
    for (const name of ['乙.jpg', '甲.png']) await photo(60, 40).toFile(join(folder.path, name))
    const run = (...words: string[]) => qingtu(['run', ...words, '--out', 'out', '--json', '乙.jpg', '甲.png'], folder.path)
    await run('/', '--file-name', '{n}-{name}-小')
    await run('/edit/size', '--percent', '50', '--file-name', '{width}')
    expect((await readdir(join(folder.path, 'out'))).toSorted()).toEqual(['1-乙-小.jpg', '2-甲-小.png', '30.jpg', '30.png'])
    expect(await run('/', '--file-name', 'a/{name}')).toMatchObject({ status: 2, err: expect.stringContaining('文件名不能含有') })
  })

  test('says in Chinese what came of each file, and what the file really was', async () => {
    await using folder = await testFolder()
    await writeFile(join(folder.path, 'a.jpg'), await photo(300, 200).png().toBuffer())
    await writeFile(join(folder.path, 'b.jpg'), 'no picture')
    const { status, out } = await qingtu(['run', '/', '--target-kb', '30', '--out', '.', 'a.jpg', 'b.jpg', 'c.jpg'], folder.path)
    expect(status).toBe(1)
    expect(out).toMatch(/✓ a\.jpg → .*a\.png：.*省 \d+%.*内容是 PNG/)
    expect(out).toMatch(/✗ b\.jpg：不支持该文件类型，请上传 JPG、PNG、WebP、AVIF、GIF。（E202）/)
    expect(out).toMatch(/✗ c\.jpg：找不到该文件/)
    expect(out).toContain('成功 1 个，失败 2 个')
    // What was asked to become another format is no surprise.
    expect((await qingtu(['run', '/convert/imgtobmp', '--out', '.', 'a.jpg'], folder.path)).out).not.toContain('内容是')
  })

  test('a missed target is delivered, marked, and no failure', async () => {
    await using folder = await testFolder()
    await writeFile(join(folder.path, 'a.jpg'), await photo(900, 700).jpeg({ quality: 95 }).toBuffer())
    const { status, out } = await qingtu(['run', '/', '--target-kb', '1', '--keep-pixels', '--json', '--out', 'o', 'a.jpg'], folder.path)
    expect(status).toBe(0)
    expect(lines(out)[0]).toMatchObject({ note: { kind: 'missed' }, outputs: [{ width: 900, height: 700 }] })
  })

  test('interrupted, it stops, cleans up and says which files were not done', async () => {
    await using folder = await testFolder()
    const slow = await photo(2600, 2000).avif({ quality: 70, effort: 0 }).toBuffer()
    for (const name of ['1.avif', '2.avif', '3.avif', '4.avif']) await writeFile(join(folder.path, name), slow)
    const words = [program, 'run', '/', '--target-kb', '20', '--json', '--out', 'o', '1.avif', '2.avif', '3.avif', '4.avif']
    const { status, out } = await new Promise<Finished>((resolve) => {
      const env = { ...process.env, TMPDIR: folder.path, TEMP: folder.path }
      const child = execFile(process.execPath, words, { cwd: folder.path, env }, (error, stdout, stderr) => {
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, out: stdout, err: stderr })
      })
      // Its first workspace shows that it is at work.
      const watch = setInterval(() => {
        if (!readdirSync(folder.path).some((name) => name.startsWith('qingtu-'))) return
        clearInterval(watch)
        child.kill('SIGINT')
      }, 20)
    })
    expect(status).toBe(1)
    expect(lines(out).filter(({ error }) => error !== undefined)).toHaveLength(4)
    expect((await readdir(folder.path)).filter((name) => name.startsWith('qingtu-'))).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('whose reader goes away stops quietly', async () => {
    await using folder = await testFolder()
    for (let index = 0; index < 12; index++)
      await writeFile(join(folder.path, `${index}.jpg`), await photo(300, 200, 3, index).jpeg().toBuffer())
    const command = `"${process.execPath}" "${program}" run / --target-kb 3 --json --out o *.jpg | head -1`
    const err = await new Promise<string>((resolve) => {
      const env = { ...process.env, TMPDIR: folder.path }
      execFile('sh', ['-c', command], { cwd: folder.path, env }, (_error, _out, stderr) => resolve(stderr))
    })
    expect(err).toBe('')
    expect((await readdir(folder.path)).filter((name) => name.startsWith('qingtu-'))).toEqual([])
  })
})

describe('wrong usage ends with status 2 and says why:', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['no such page', ['run', '/nowhere', '--out', 'o', 'a.jpg'], /没有页面 \/nowhere/],
    ['no such option', ['run', '/', '--sice', '3', '--out', 'o', 'a.jpg'], /没有选项 --sice/],
    ['no folder', ['run', '/', 'a.jpg'], /--out/],
    ['no files', ['run', '/', '--out', 'o'], /文件/],
    ['a word for a number', ['run', '/', '--target-kb', 'big', '--out', 'o', 'a.jpg'], /--target-kb 需要一个数字/],
    ['nothing for a size', ['run', '/', '--target-kb', '0', '--out', 'o', 'a.jpg'], /目标大小请输入大于 0 的数字/],
    ['a number out of range', ['run', '/', '--quality', '101', '--out', 'o', 'a.jpg'], /“质量”请输入 1–100%/],
    ['a minimum above the target', ['run', '/', '--target-kb', '20', '--min-kb', '30', '--out', 'o', 'a.jpg'], /最小大小不能超过目标大小/],
    ['two ways at once', ['run', '/', '--quality', '80', '--target-kb', '30', '--out', 'o', 'a.jpg'], /不能同时使用/],
    ['a way that is not there', ['run', '/', '--goal', 'banana', '--out', 'o', 'a.jpg'], /没有这种方式：banana/],
    ['an option of another page alone', ['run', '/all', '--keep-pixels', '--out', 'o', 'a.jpg'], /不适用于该页面：--keep-pixels/],
    ['a folder that can not be made', ['run', '/', '--out', join(program, 'x'), 'a.jpg'], /无法使用文件夹/],
    ['an unknown command', ['fly'], /qingtu run/],
  ])('%s', async (_title, words, reason) => {
    const { status, out, err } = await qingtu(words)
    expect(status).toBe(2)
    expect(out + err).toMatch(reason)
  })
})

const sameName = { fileName: '{name}' }

describe('options', () => {
  const optionsOf = (...words: string[]): unknown => parseRun([...words, '--out', 'o', 'a.jpg']).options

  test('start from the page and are overridden by name', () => {
    expect(optionsOf('/')).toEqual({ goal: { by: 'size', targetKb: 200, keepPixels: false }, keepMetadata: false, ...sameName })
    expect(optionsOf('/', '--target-kb', '50', '--min-kb=20', '--keep-pixels')).toMatchObject({
      goal: { by: 'size', targetKb: 50, minKb: 20, keepPixels: true },
    })
    expect(optionsOf('/sizemb', '--target-mb', '1.5')).toMatchObject({ goal: { by: 'megabytes', targetMb: 1.5 } })
    expect(optionsOf('/sizemb', '--keep-pixels')).toMatchObject({ goal: { by: 'megabytes', keepPixels: true } })
    expect(optionsOf('/all')).toMatchObject({ goal: { by: 'quality', quality: 75 } })
  })

  test('of another case choose that case', () => {
    expect(optionsOf('/', '--quality', '60')).toMatchObject({ goal: { by: 'quality', quality: 60 } })
    expect(optionsOf('/png', '--percent', '40', '--keep-metadata')).toEqual({
      goal: { by: 'percent', percent: 40 },
      keepMetadata: true,
      ...sameName,
    })
    expect(optionsOf('/', '--goal', 'percent')).toMatchObject({ goal: { by: 'percent', percent: 50 } })
  })

  test('a size given takes the place of the one the page starts with', () => {
    expect(optionsOf('/edit/size')).toMatchObject({ percent: 50 })
    expect(optionsOf('/edit/size', '--width', '800')).toMatchObject({ width: 800, percent: undefined })
    expect(optionsOf('/px', '--height', '600', '--keep-ratio=false')).toMatchObject({ width: 800, height: 600, keepRatio: false })
    expect(() => optionsOf('/px', '--height', '600', '--percent', '5')).toThrow('只能选一种方式')
  })

  test('after -- every word is a file', () => {
    expect(parseRun(['/', '--out', 'o', '--', '--odd.jpg']).files).toEqual(['--odd.jpg'])
    expect(() => parseRun(['/', '--out'])).toThrow(UsageError)
  })
})

test('qingtu tools --json tells every page with its options and ranges', async () => {
  const { status, out } = await qingtu(['tools', '--json'])
  const told = lines(out)
  expect([status, ...told.map(({ path }) => path)]).toEqual([0, ...pages.map(({ page }) => page.path)])
  expect(told[0]).toMatchObject({
    tool: 'compress-image',
    options: expect.arrayContaining([expect.objectContaining({ option: '--target-kb', min: 1, max: 204_800, unit: 'KB', initial: 200 })]),
  })
  expect(out).toMatch(/"--keep-metadata","label":"保留拍摄信息","hint":"[^"]*位置/)
})

test('qingtu tools says under each option what its label leaves open', async () => {
  const { status, out } = await qingtu(['tools'])
  expect([status, out.includes('undefined')]).toEqual([0, false])
  expect(out).toMatch(/--keep-pixels +保持像素尺寸 .*关闭时，目标过小会自动缩小宽高/)
})
