import { readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Arrivals, filesHanded, filesNamed } from '#electron/arguments'
import { described, openLog } from '#electron/log'
import { AppError } from '#shared/errors/app-error'
import { testFolder } from '../fixtures/engine.ts'

const within = (name: string): string => resolve('/work', name)

describe('a command line', () => {
  it('names files, beside switches of others', () => {
    const named = filesNamed(['qingtu.exe', '--updated', 'a b.jpg', '', '-x', '照片'], '/work', true)
    expect(named).toEqual([within('a b.jpg'), within('照片')])
  })

  it('names the program’s folder first where a bare Electron runs it', () => {
    expect(filesNamed(['electron', '--no-sandbox', '.', 'a.jpg'], '/work', false)).toEqual([within('a.jpg')])
    expect(filesNamed(['electron'], '/work', false)).toEqual([])
  })

  it('may name files that look like switches', () => {
    expect(filesNamed(['qingtu.exe', '--', '--no-sandbox'], '/work', true)).toEqual([within('--no-sandbox')])
  })

  it('of another start is taken only as what it is to be', () => {
    expect(filesHanded({ files: ['/a.jpg'] })).toEqual(['/a.jpg'])
    for (const given of [undefined, null, 'x', { files: 'x' }, { files: [1] }]) expect(filesHanded(given)).toEqual([])
  })
})

describe('files that come from outside', () => {
  it('wait for the page, and are then told together', async () => {
    const told: (readonly string[])[] = []
    const arrivals = new Arrivals(5, (files) => void told.push(files))
    arrivals.add(['a', 'b'])
    arrivals.add(['b', 'c'])
    expect(arrivals.listen()).toEqual(['a', 'b', 'c'])
    arrivals.add(['d'])
    arrivals.add(['e'])
    await expect.poll(() => told).toEqual([['d', 'e']])
    arrivals.deafen()
    arrivals.add(['f'])
    expect(arrivals.listen()).toEqual(['f'])
  })
})

describe('the log', () => {
  it.each([
    [new Error(`ENOENT: no such file or directory, open 'C:\\Users\\李雷 一\\照片\\一.jpg'`), '一.jpg', '李雷'],
    [new Error(`EACCES: permission denied, open '${homedir()}/secret folder/b.jpg'`), 'b.jpg', 'secret folder'],
    [new Error('failed https://qingtu.example/callback?ticket=abc#computer=def'), 'https://qingtu.example/callback', 'abc'],
    [new AppError('device.limit', { devices: [] }), 'device.limit', 'devices'],
    [new AppError('internal', {}, { cause: new Error('the cause') }), 'the cause', '{}'],
  ])('says what %s was, and not whose', (error, said, unsaid) => {
    expect(described(error)).toContain(said)
    expect(described(error)).not.toContain(unsaid)
  })

  it('is on the disk line by line, and never grows beyond its files', async () => {
    await using folder = await testFolder()
    const log = openLog(folder.path, () => new Date(0))
    log('first\nline', new Error('broken'))
    expect(readFileSync(join(folder.path, 'client.log'), 'utf8')).toMatch(/^1970-01-01T00:00:00.000Z first line: Error: broken/)
    const long = 'x'.repeat(7000)
    for (let line = 0; line < 1000; line++) log(long)
    const names = readdirSync(folder.path)
    expect(names.toSorted()).toEqual(['client.1.log', 'client.2.log', 'client.3.log', 'client.log'])
    for (const name of names) expect(statSync(join(folder.path, name)).size).toBeLessThan(1024 ** 2 + 8100)
  })

  it('fails nobody where it can’t be written', () => {
    expect(() => openLog('/dev/null/logs')('anything')).not.toThrow()
  })
})
