import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badInputs } from '../fixtures/bad-inputs.ts'
import { expectedOf, isNamedAs, optionsFor, pictureTools, type BadInput, type PictureTool } from '../fixtures/bad-inputs/bad-input.ts'
import { openRig, type Answer, type Rig } from '../fixtures/bad-inputs/rig.ts'
import { colourAt, readPicture } from '../fixtures/oracle.ts'
import { photo } from '../fixtures/pictures.ts'
import { unzip } from '../fixtures/unzip.ts'
import { cloudLimits } from '#engine/limits'
import { messageOf } from '#shared/errors/app-error'

/** Files that may never end by themselves have so long, in milliseconds; drawing itself gives up after 5 s. */
const SHORT_DEADLINE_MS = 3000
/** A child is weighed ten times a second and may grow a little between. */
const MEMORY_BYTES = cloudLimits.maxResidentBytes * 1.2

const inputs = await badInputs()
const good = await photo(64, 48).jpeg().toBuffer()
let rig: Rig
let impatient: Rig

beforeAll(async () => {
  rig = await openRig()
  impatient = await openRig(SHORT_DEADLINE_MS)
})
afterAll(async () => {
  await impatient.close()
  await rig.close()
})

/** What a result must be: as large as it says, named as what it is, readable by another reader, and without what was to go. */
async function checkResult({ outputs }: Answer, tool: PictureTool, input: BadInput): Promise<void> {
  for (const output of outputs) {
    const file = await readFile(output.path)
    const what = { tool, bytes: file.length, isNamedAsItIs: isNamedAs(output.name, output.format) }
    expect(what).toEqual({ tool, bytes: output.bytes, isNamedAsItIs: true })
    // Density is set in a file that is otherwise passed on; every other tool writes the picture anew.
    if (tool === 'set-dpi' || output.note?.kind === 'unchanged') continue
    for (const text of input.absent) expect({ tool, text, has: file.includes(text, 0, 'latin1') }).toEqual({ tool, text, has: false })
    const { width, height } = readPicture(file, output.format)
    expect({ tool, width, height }).toEqual({ tool, width: output.width, height: output.height })
  }
}

const title = ({ number, title: words }: BadInput): string => `#${number} ${words}`

test.each(inputs.map((input) => [title(input), input] as const))('%s', async (_title, input) => {
  const used = input.isEndless ? impatient : rig
  const answers = await Promise.all(
    pictureTools.map(async (tool) => ({ tool, answer: await used.run(tool, optionsFor(tool, input.format), input.name, input.bytes) })),
  )
  const codes = answers.map(({ tool, answer }) => ({ tool, code: answer.code }))
  const wrong = codes.filter(({ tool, code }) => !expectedOf(input, tool).some((outcome) => outcome === code))
  expect(wrong.map((one) => ({ ...one, expected: expectedOf(input, one.tool) }))).toEqual([])
  expect(answers.flatMap(({ answer }) => answer.leftovers)).toEqual([])
  for (const { tool, answer } of answers) {
    if (answer.error) expect(messageOf(answer.error)).toMatch(/[一-鿿].*。$/)
    await checkResult(answer, tool, input)
  }
  expect((await used.run('set-dpi', { dpi: 300 }, 'good.jpg', good)).code, 'the next file is served').toBe('done')
  expect(await used.orphans(), 'nothing outlives its job').toEqual([])
  expect(await used.temporaryFiles(), 'nothing temporary is left').toEqual([])
  expect(used.peakBytes).toBeLessThan(MEMORY_BYTES)
})

describe('what comes of them', () => {
  const named = (name: string): BadInput => {
    const found = inputs.find((input) => input.name === name)
    if (!found) throw new Error(`no ${name}`)
    return found
  }
  const made = async (tool: PictureTool, { name, bytes }: BadInput, options: object) => {
    const { code, outputs } = await rig.run(tool, options, name, bytes)
    expect(code).toBe('done')
    const [output] = outputs
    return { output, file: await readFile(output?.path ?? '') }
  }

  test('#3 the PNG named .jpg is answered as the PNG it is', async () => {
    const { output } = await made('compress-image', named('really-png.jpg'), optionsFor('compress-image', 'png'))
    expect(output).toMatchObject({ name: 'really-png.png', format: 'png' })
  })

  test.each(['cmyk.jpg', 'bare-cmyk.jpg'])('#26 %s comes out as red as it was', async (name) => {
    for (const tool of ['convert-image', 'compress-image', 'resize-image', 'crop-image', 'id-photo'] as const) {
      const options = tool === 'compress-image' ? { goal: { by: 'quality', quality: 80 } } : optionsFor(tool, 'jpeg')
      const { file, output } = await made(tool, named(name), options)
      if (output?.note?.kind === 'unchanged') continue // still in its own inks
      const [red = 0, green = 0, blue = 0] = colourAt(readPicture(file), 20, 20)
      expect({ tool, isRed: red > 200 && green < 70 && blue < 70, red, green, blue }).toMatchObject({ tool, isRed: true })
    }
  })

  test('#35 the packed text is gone from the file written anew', async () => {
    const { file } = await made('compress-image', named('ztxt.png'), optionsFor('compress-image', 'png'))
    expect(file.length).toBeLessThan(1000)
  })

  test.each(['43.svg', '44.svg'])('#%s draws nothing of what lies elsewhere', async (name) => {
    for (const input of inputs.filter((one) => one.name === name)) {
      const { code, outputs } = await rig.run('convert-image', { format: 'png' }, input.name, input.bytes)
      if (code !== 'done') continue
      const { data } = readPicture(await readFile(outputs[0]?.path ?? ''))
      expect(data.every((sample) => sample === 0)).toBe(true)
    }
  })

  test.each(inputs.filter(({ name }) => /\.(zip|docx)$/.test(name)).map((input) => [title(input), input] as const))(
    '%s is packed as it is, unopened',
    async (_title, { name, bytes }) => {
      const { outputs } = await rig.run('pack-zip', {}, name, bytes)
      const files = await unzip(await readFile(outputs[0]?.path ?? ''))
      expect([...files].map(([inside, content]) => [inside, content.equals(bytes)])).toEqual([[name, true]])
    },
  )
})
