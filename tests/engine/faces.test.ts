import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { groupPath, groups, pixelsOf, portraitOfOne, portraits } from '../fixtures/faces.ts'
import { portrait } from '../fixtures/portraits.ts'
import { detectionsOf, withoutDoubles, yunetDetections } from '#engine/ai/face-boxes'
import { shippedFaceModels, yunet } from '#engine/ai/face-models'
import { findFaces, type Face } from '#engine/ai/faces'
import { shippedFolder } from '#engine/ai/installed'

const heightOf = (points: Face['landmarks']): number => points.reduce((sum, { y }) => sum + y, 0) / points.length

describe('faces', () => {
  test.each(groups)('of %s are all found, %i of them, each with eyes above the mouth above the chin', async (name, count) => {
    const faces = await findFaces(await pixelsOf(groupPath(name)))
    expect(faces).toHaveLength(count)
    for (const { box, score, landmarks } of faces) {
      expect(score).toBeGreaterThanOrEqual(0.55)
      expect(landmarks).toHaveLength(68)
      const [eyes, mouth, chin] = [heightOf(landmarks.slice(36, 48)), heightOf(landmarks.slice(48, 68)), landmarks[8]?.y ?? 0]
      expect(eyes).toBeLessThan(mouth)
      expect(mouth).toBeLessThan(chin)
      for (const { x, y } of landmarks) {
        expect(Math.abs(x - box.left - box.width / 2)).toBeLessThan(box.width * 0.75)
        expect(Math.abs(y - box.top - box.height / 2)).toBeLessThan(box.height * 0.65)
      }
    }
  })

  test('are measured to a few pixels, whatever the picture’s size and channels', async () => {
    const { eyesPx, chinPx, width } = portraitOfOne
    const bytes = await portraitOfOne.bytes()
    const forms: [Buffer, number][] = [
      [bytes, 1],
      [await sharp(bytes).resize(280).png().toBuffer(), 0.5],
      [await sharp(bytes).resize(1680).jpeg().toBuffer(), 3],
      [await sharp(bytes).toColourspace('b-w').png().toBuffer(), 1],
      [await sharp(bytes).ensureAlpha(1).png().toBuffer(), 1],
    ]
    for (const [picture, scale] of forms) {
      const [face, ...others] = await findFaces(await pixelsOf(picture))
      expect(others).toEqual([])
      expect(Math.abs(heightOf(face?.landmarks.slice(36, 48) ?? []) / scale - eyesPx)).toBeLessThan(width * 0.025)
      expect(Math.abs((face?.landmarks[8]?.y ?? NaN) / scale - chinPx)).toBeLessThan(width * 0.04)
    }
  })

  test('are not seen where there are none: a drawn head, noise, a line of pixels', async () => {
    const noise = sharp({
      create: { width: 400, height: 300, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    })
    const line = sharp({ create: { width: 3000, height: 1, channels: 3, background: '#fff' } })
    for (const picture of [await portrait(600, 800), await noise.png().toBuffer(), await line.png().toBuffer()])
      expect(await findFaces(await pixelsOf(picture))).toEqual([])
  })

  test('are found by what ships where an operator’s file is not YuNet', async () => {
    await using folder = await testFolder()
    writeFileSync(join(folder.path, yunet.file), 'no model')
    expect(await findFaces(await pixelsOf(await portraitOfOne.bytes()), { modelsFolder: folder.path })).toHaveLength(1)
  })

  test.skipIf(portraits.length === 0)('are found in every portrait of the test pictures, where they are there', async () => {
    const without = []
    for (const path of portraits) if ((await findFaces(await pixelsOf(path))).length === 0) without.push(path)
    expect(without).toEqual([])
  })
})

test('the landmarks’ net says what face-api.js says', async () => {
  // Its bundle takes Node for a browser's worker without these, and then looks for a canvas in vain.
  Object.assign(globalThis, { window: globalThis, document: { createElement: () => ({ getContext: () => null }) } })
  const { tf, FaceLandmark68Net, NetInput } = await import('@vladmandic/face-api/dist/face-api.esm.js')
  const { setBackend } = tf as unknown as { setBackend: (name: string) => Promise<boolean> } // the package's types leave it out
  await setBackend('cpu')
  const model = fileURLToPath(new URL('../../node_modules/@vladmandic/face-api/model/face_landmark_68_model', import.meta.url))
  const [{ weights }] = JSON.parse(readFileSync(`${model}-weights_manifest.json`, 'utf8'))
  const net = new FaceLandmark68Net()
  net.loadFromWeightMap(tf.io.decodeWeights(Uint8Array.from(readFileSync(`${model}.bin`)).buffer, weights))
  const face = await sharp(await portraitOfOne.bytes())
    .extract({ left: 190, top: 150, width: 230, height: 300 })
    .resize(112, 112, { fit: 'fill' })
    .raw()
    .toBuffer()
  const theirs = net.forwardInput(new NetInput([tf.tensor4d(Float32Array.from(face), [1, 112, 112, 3])], true)).dataSync()
  const session = await InferenceSession.create(join(shippedFolder, shippedFaceModels.landmarks.file))
  const { points } = await session.run({ face: new Tensor('uint8', face, [1, 112, 112, 3]) })
  expect(theirs).toHaveLength(136)
  theirs.forEach((value: number, at: number) => expect(Number(points?.data[at])).toBeCloseTo(value, 4))
})

describe('boxes', () => {
  test('of one face become the surest one, and unsure ones go', () => {
    const box = (left: number, score: number) => ({ box: { left, top: 0, width: 100, height: 100 }, score })
    expect(withoutDoubles([box(0, 0.6), box(10, 0.9), box(300, 0.7), box(600, 0.4), box(60, 0.8)])).toEqual([
      box(10, 0.9),
      box(60, 0.8),
      box(300, 0.7),
    ])
  })

  test('of the shipped detector are parts of its input', () => {
    const boxes = Float32Array.of(0.25, 0.5, 0.5, 0.75, 0, 0, 1, 1)
    expect(detectionsOf(boxes, Float32Array.of(1, 0.1), 512)).toEqual([{ box: { left: 256, top: 128, width: 128, height: 128 }, score: 1 }])
  })

  test('of YuNet are offsets and logarithms in the cells of three grids', () => {
    const sidePx = 640
    const answers: Record<string, Float32Array> = {}
    for (const stride of [8, 16, 32]) {
      const cells = (sidePx / stride) ** 2
      answers[`cls_${stride}`] = new Float32Array(cells)
      answers[`obj_${stride}`] = new Float32Array(cells)
      answers[`bbox_${stride}`] = new Float32Array(cells * 4)
    }
    /** A face whose middle lies half a cell from a cell's corner. */
    const put = (stride: number, column: number, row: number, sides: [number, number], [cls, obj]: [number, number]): void => {
      const at = row * (sidePx / stride) + column
      answers[`cls_${stride}`]?.fill(cls, at, at + 1)
      answers[`obj_${stride}`]?.fill(obj, at, at + 1)
      answers[`bbox_${stride}`]?.set([0.5, 0.5, Math.log(sides[0] / stride), Math.log(sides[1] / stride)], at * 4)
    }
    put(8, 10, 20, [24, 32], [0.81, 1.5])
    put(32, 10, 5, [200, 240], [0.9, 0.9])
    put(16, 3, 3, [50, 50], [0.4, 0.4])
    const found = yunetDetections(answers, sidePx)
    expect(found.map(({ score }) => Math.round(score * 100))).toEqual([90, 90])
    const sorted = found.map(({ box }) => Object.values(box).map(Math.round)).toSorted(([one = 0], [other = 0]) => one - other)
    expect(sorted).toEqual([
      [84 - 12, 164 - 16, 24, 32],
      [336 - 100, 176 - 120, 200, 240],
    ])
    expect(() => yunetDetections({}, sidePx)).toThrow('stride of 8')
  })
})
