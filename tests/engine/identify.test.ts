import { expect, test } from 'vitest'
import { greyPage, tiffOf } from '../fixtures/tiff.ts'
import { checkHead, HEAD_BYTES } from '#engine/image/identify'

/** A TIFF whose directory lies behind its picture, as scanners write it. */
function directoryLast(order: 'II' | 'MM'): Buffer {
  const samples = Buffer.alloc(200 * 150, 9)
  const file = tiffOf([greyPage(200, 150, samples)], { order })
  const directory = file.subarray(8, 8 + 2 + 9 * 12 + 4)
  const moved = Buffer.concat([file, directory])
  if (order === 'II') moved.writeUInt32LE(file.length, 4)
  else moved.writeUInt32BE(file.length, 4)
  return moved
}

test.each(['II', 'MM'] as const)('a %s TIFF is told at the door though its directory lies at its end', async (order) => {
  const head = directoryLast(order).subarray(0, HEAD_BYTES)
  await expect(checkHead(head, ['tiff'], '扫描')).resolves.toBeUndefined()
  await expect(checkHead(head, ['jpeg'], '扫描')).rejects.toMatchObject({ code: 'file.unsupported' })
})
