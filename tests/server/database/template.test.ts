import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { describe, expect, test } from 'vitest'
import { prepareTemplate, provideData } from '#server/database/template'
import { ownFolder, template } from './support.ts'

const answers = async (data: string): Promise<unknown> => {
  const client = await PGlite.create(data)
  const { rows } = await client.query('select 6 * 7 as answer')
  await client.close()
  return rows
}

/** Marks a data folder, to see later whether another came from it. */
const mark = (data: string): Promise<void> => writeFile(join(data, 'marked'), '')

describe('a new data folder', () => {
  test('is a copy of the template and works', async () => {
    const [folder, source] = [await ownFolder(), join(await ownFolder(), 'template')]
    await cp(template, source, { recursive: true })
    await mark(join(source, 'pgdata'))
    await provideData(join(folder, 'pgdata'), source)
    await expect(readdir(join(folder, 'pgdata'))).resolves.toContain('marked')
    await expect(answers(join(folder, 'pgdata'))).resolves.toEqual([{ answer: 42 }])
  })

  test('does not begin from a copy that was interrupted', async () => {
    const folder = await ownFolder()
    const half = join(folder, 'pgdata.half')
    await cp(join(template, 'pgdata'), half, { recursive: true })
    await mark(half)
    await rm(join(half, 'base'), { recursive: true })
    await provideData(join(folder, 'pgdata'), template)
    await expect(readdir(folder)).resolves.toEqual(['pgdata'])
    await expect(readdir(join(folder, 'pgdata'))).resolves.not.toContain('marked')
    await expect(answers(join(folder, 'pgdata'))).resolves.toEqual([{ answer: 42 }])
  })

  test('is made afresh without a template, or with one of another version', async () => {
    const [folder, old] = [await ownFolder(), await ownFolder()]
    await mkdir(join(old, 'pgdata'))
    await mark(join(old, 'pgdata'))
    await writeFile(join(old, 'stamp'), 'pglite 0.0.1')
    for (const [name, from] of [
      ['a', old],
      ['b', undefined],
    ] as const) {
      await provideData(join(folder, name), from)
      await expect(readdir(join(folder, name))).resolves.not.toContain('marked')
      await expect(answers(join(folder, name))).resolves.toEqual([{ answer: 42 }])
    }
  })

  test('stays as it is when it is there already', async () => {
    const data = join(await ownFolder(), 'pgdata')
    await mkdir(data)
    await mark(data)
    await provideData(data, template)
    await expect(readdir(data)).resolves.toEqual(['marked'])
  })
})

test('a template is prepared once, and again when it is of another version, also by two at a time', async () => {
  const folder = await ownFolder()
  const path = join(folder, 'template')
  await cp(template, path, { recursive: true })
  await mark(path)
  await prepareTemplate(path)
  await expect(readdir(path)).resolves.toContain('marked')
  await writeFile(join(path, 'stamp'), 'pglite 0.0.1')
  await Promise.all([prepareTemplate(path), prepareTemplate(path)])
  await expect(readdir(folder)).resolves.toEqual(['template'])
  await expect(readdir(path)).resolves.toEqual(['pgdata', 'stamp'])
  await expect(readFile(join(path, 'stamp'), 'utf8')).resolves.toBe(await readFile(join(template, 'stamp'), 'utf8'))
  await expect(answers(join(path, 'pgdata'))).resolves.toEqual([{ answer: 42 }])
})
