import { describe, expect, test } from 'vitest'
import { isForbidden, notices, shippedPackages, weightsThatShip } from '#build/notices'
import { models } from '#engine/ai/models'
import { shippedWeights } from '#build/weights'

describe('what ships', () => {
  test('holds no GPL or AGPL package, and none of unknown licence', () => {
    const shipped = shippedPackages()
    expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(['sharp', 'zod', 'file-type', '@jsquash/oxipng']))
    expect(shipped.filter(({ licence }) => isForbidden(licence))).toEqual([])
  })

  test('includes what the page and the client are bundled from, and nothing that only builds them', () => {
    const names = shippedPackages().map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'react',
        'react-dom',
        'scheduler',
        'jotai',
        'electron',
        'electron-store',
        'conf',
        'electron-updater',
        'js-yaml',
      ]),
    )
    for (const name of ['electron-builder', 'vite', 'typescript', 'vitest', 'playwright-core', '@electron/get'])
      expect(names).not.toContain(name)
  })

  test('is named with its licence in the notices, the native libraries of sharp included', () => {
    const text = notices()
    for (const { name, version, licence } of shippedPackages()) expect(text).toContain(`${name} ${version}\n${licence}`)
    expect(text).toMatch(/mozjpeg/i)
  })

  test('holds no weights of a licence that would bind the product, and names them with their licence text', () => {
    const weights = weightsThatShip()
    expect(shippedWeights.map(({ file }) => file)).toEqual(
      expect.arrayContaining(models.filter(({ tier }) => tier === 'default').map(({ file }) => file)),
    )
    expect(weights.filter(({ licence }) => isForbidden(licence))).toEqual([])
    const text = notices()
    for (const { name, version, licence } of weights) {
      const [, part = ''] = text.split(`${name} ${version}\n${licence}\n`)
      expect(part.slice(0, 500)).toMatch(/Apache License|Permission is hereby granted|SIL Open Font License/)
    }
  })
})

describe('the licence check', () => {
  test.each(['GPL-3.0', 'GPL-2.0-only', 'AGPL-3.0-or-later', 'UNKNOWN', 'MIT AND GPL-3.0', 'Apache-2.0 AND AGPL-3.0'])(
    'refuses %s',
    (licence) => expect(isForbidden(licence)).toBe(true),
  )
  test.each(['MIT', 'Apache-2.0', 'LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later', '(MIT OR GPL-3.0-or-later)', 'BSD-3-Clause'])(
    'allows %s',
    (licence) => expect(isForbidden(licence)).toBe(false),
  )
})
