import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import decodeIco from 'decode-ico'
import { describe, expect, test } from 'vitest'
import { enginePackages } from '#build/client-app'
import { iconSizes, pictures } from '#build/icons'
import { checkedConfig, installerComplaints } from '#build/pack-check'
import { hasProgram, root } from '#build/setup'

describe('how the client is packed', () => {
  test('is said in words electron-builder takes', async () => {
    const { nsis, asar, npmRebuild } = await checkedConfig()
    expect({ asar, npmRebuild }).toEqual({ asar: true, npmRebuild: false })
    expect(nsis).toMatchObject({ oneClick: false, perMachine: false, allowElevation: false, allowToChangeInstallationDirectory: true })
    expect(nsis?.installerLanguages).toEqual(['zh_CN'])
  })

  test('is refused where it says what electron-builder does not know', async () => {
    // Not of its type, which is the point.
    await expect(checkedConfig({ nsis: { oneClik: true } } as object)).rejects.toThrow('configuration.nsis')
  })

  test('leaves no way to run other code than what was packed', async () => {
    expect((await checkedConfig()).electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  test.skipIf(!hasProgram('makensis'))('has an installer script that compiles without a warning', () => {
    expect(installerComplaints()).toBeUndefined()
  })

  test('holds the engine’s packages, and none of the server’s or the page’s', () => {
    const packages = enginePackages('win32')
    expect(packages).toEqual(
      expect.arrayContaining(['sharp', '@img/sharp-win32-x64', 'onnxruntime-node', 'pdfjs-dist', 'file-type', 'zod']),
    )
    expect(
      packages.filter((name) => /^(fastify|@fastify|pg|drizzle-orm|@electric-sql|ali-oss|pino|react|jotai|electron)/.test(name)),
    ).toEqual([])
    expect(packages.filter((name) => name.includes('linux'))).toEqual([])
    expect(enginePackages('linux')).toEqual(expect.arrayContaining(['@img/sharp-linux-x64', '@img/sharp-libvips-linux-x64']))
  })
})

describe('the pictures of the program', () => {
  test('are those drawn from the page’s icon', async () => {
    for (const [name, bytes] of Object.entries(await pictures())) {
      expect((await readFile(join(root, 'build', name))).equals(bytes), `build/${name}: npm run icons`).toBe(true)
    }
  })

  test('hold every size Windows asks for, clear in the corners', async () => {
    const icons = decodeIco(await readFile(join(root, 'build/icon.ico')))
    expect(icons.map(({ width }) => width)).toEqual(iconSizes)
    const [smallest] = icons
    if (smallest?.type !== 'bmp') throw new Error('small icons are bitmaps')
    expect(smallest.data[3]).toBe(0)
    expect([...smallest.data.subarray((1 * 16 + 8) * 4, (1 * 16 + 8) * 4 + 4)]).toEqual([0x1a, 0x62, 0xf0, 255])
  })
})
