import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { optionsFor, pictureTools } from '../fixtures/bad-inputs/bad-input.ts'
import { hostileNames } from '../fixtures/bad-inputs/names.ts'
import { badRequests } from '../fixtures/bad-inputs/requests.ts'
import { openRig, type Rig } from '../fixtures/bad-inputs/rig.ts'
import { testFolder } from '../fixtures/engine.ts'
import { readPicture } from '../fixtures/oracle.ts'
import { photo } from '../fixtures/pictures.ts'
import { samples } from '../fixtures/samples.ts'
import { unzip } from '../fixtures/unzip.ts'
import { cloudLimits } from '#engine/limits'
import { run } from '#engine/run'
import { parseOptions } from '#shared/tools/index'

const requests = await badRequests()
const small = await photo(120, 90).jpeg({ quality: 95 }).toBuffer()
let rig: Rig

beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig.close())

test.each(requests.map((request) => [`#${request.number} ${request.title}`, request] as const))(
  '%s',
  async (_title, { tool, options, bytes, expected }) => {
    const { code, outputs, leftovers } = await rig.run(tool, options, 'a.bin', bytes)
    const [output] = outputs
    expect({ code: output?.note?.kind ?? code, leftovers }).toEqual({ code: expected, leftovers: [] })
    if (output?.note?.kind !== 'missed') return
    const { width, height } = readPicture(await readFile(output.path))
    expect([width, height, output.note.bestBytes]).toEqual([output.width, output.height, output.bytes])
  },
)

test.each(hostileNames.map((hostile) => [`#${hostile.number} ${hostile.title}`, hostile.name] as const))(
  'a file called %s',
  async (_title, name) => {
    const answers = await Promise.all(
      [...pictureTools, 'pack-zip' as const].map((tool) => rig.run(tool, tool === 'pack-zip' ? {} : optionsFor(tool, 'jpeg'), name, small)),
    )
    const folders = new Set<string>()
    for (const { code, outputs, leftovers } of answers) {
      expect({ code, leftovers }).toEqual({ code: 'done', leftovers: [] })
      for (const output of outputs) {
        expect(output.name).toMatch(/^[^/\\<>:"|?*\p{Cc}\p{Bidi_Control}\ud800-\udfff]+\.(jpg|png|zip)$/u)
        expect(output.name).not.toMatch(/^(con|nul)\./i)
        expect(Buffer.byteLength(output.name)).toBeLessThanOrEqual(255)
        expect(basename(output.path)).toBe(output.name)
        folders.add(dirname(output.path))
      }
    }
    expect(folders.size, 'each in its own folder').toBe(answers.length)
    const packed = await unzip(await readFile(answers.at(-1)?.outputs[0]?.path ?? ''))
    expect([...packed.keys()]).toHaveLength(1)
    expect([...packed.keys()][0]).not.toMatch(/^[/\\]|\.\.[/\\]|[:\p{Cc}\p{Bidi_Control}]/u)
  },
)

/** Names inside of a zip that packs a file under each of these names. */
async function packedUnder(names: readonly string[]): Promise<readonly string[]> {
  await using folder = await testFolder()
  const path = join(folder.path, 'source')
  await writeFile(path, small)
  const [first, ...others] = names.map((name) => ({ path, name }))
  if (!first) throw new Error('no names')
  const context = { folder: await mkdtemp(join(folder.path, 'out-')), limits: cloudLimits, msLeft: () => 60_000, progress: () => {} }
  const [output] = await run({ tool: 'pack-zip', options: parseOptions('pack-zip', {}), inputs: [first, ...others] }, context)
  return [...(await unzip(await readFile(output?.path ?? ''))).keys()]
}

test('#71 two spellings of one name are packed apart', async () => {
  expect(await packedUnder(['\u00e9.jpg', 'e\u0301.jpg'])).toEqual(['\u00e9.jpg', '\u00e9 (1).jpg'])
})

test('#73 200 files of one name are packed under 200 names', async () => {
  const names = await packedUnder(Array.from({ length: 200 }, () => '照片.jpg'))
  expect(new Set(names).size).toBe(200)
  expect([names[0], names[1], names[199]]).toEqual(['照片.jpg', '照片 (1).jpg', '照片 (199).jpg'])
})

test.each(['resize-image', 'crop-image', 'id-photo', 'convert-image'] as const)(
  '%s goes by the name where the content says nothing',
  async (tool) => {
    const tga = (await samples()).get('tga')?.bytes ?? Buffer.alloc(0)
    const options = tool === 'id-photo' ? { preset: 'none' } : optionsFor(tool, 'tga')
    expect((await rig.run(tool, options, 'a.tga', tga)).code).toBe('done')
    expect((await rig.run(tool, options, 'a.jpg', tga)).code).toBe('file.unsupported')
  },
)
