import { expect, it } from 'vitest'
import { runCommand } from '../fixtures/command.ts'
import { testFolder } from '../fixtures/engine.ts'
import { codeAt } from '../fixtures/operators.ts'
import { serverProcess } from '../fixtures/server-process.ts'
import { codeOf, Visitor } from '../fixtures/server.ts'

const operator = (folder: string, ...words: readonly string[]) => runCommand('operator', words, { DATA_DIR: folder })

const issuedIn = (said: string) => ({
  password: /密码\s+(\S+)/.exec(said)?.[1] ?? '',
  secret: /口令密钥\s+(\S+)/.exec(said)?.[1] ?? '',
})

const logIn = (url: string, { password, secret }: ReturnType<typeof issuedIn>): Promise<Response> =>
  new Visitor(url).send('/api/operator/login', { name: '张三', password, code: codeAt(secret, Date.now()) })

it('operators are made, shown, given new secrets and removed while the server is stopped', async () => {
  await using folder = await testFolder()
  const added = await operator(folder.path, 'add', '张三')
  expect(added.code).toBe(0)
  expect(added.said).toContain('otpauth://totp/')
  expect(await operator(folder.path, 'add', '张三')).toMatchObject({ code: 1, said: '', complained: expect.stringContaining('已存在') })
  expect(await operator(folder.path, 'add', '张 三')).toMatchObject({ code: 1, complained: expect.stringContaining('账号请用') })
  const renewed = await operator(folder.path, 'reset', '张三')
  expect((await operator(folder.path, 'list')).said).toMatch(/^张三\t/)
  {
    await using server = await serverProcess(folder.path)
    expect(await codeOf(await logIn(server.url, issuedIn(added.said)))).toEqual([401, 'operator.refused'])
    expect((await logIn(server.url, issuedIn(renewed.said))).status).toBe(200)
    const refused = await operator(folder.path, 'list')
    expect(refused).toMatchObject({ code: 1, said: '', complained: expect.stringContaining('请先停止服务') })
    expect(refused.complained).toContain(`进程 ${server.pid}`)
  }
  expect(await operator(folder.path, 'remove', '张三')).toMatchObject({ code: 0 })
  expect(await operator(folder.path, 'remove', '张三')).toMatchObject({ code: 1, complained: expect.stringContaining('没有运营账号') })
  expect((await operator(folder.path, 'list')).said).toContain('还没有')
})

it('says how it is used when it is asked for nothing it can do', async () => {
  await using folder = await testFolder()
  expect(await operator(folder.path, 'sudo')).toMatchObject({ code: 2, complained: expect.stringContaining('npm run operator') })
})
