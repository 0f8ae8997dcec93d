import { expect, test } from 'vitest'
import { reportLine } from '#engine/cli/report'

const report = {
  input: '报告.pdf',
  outputs: [{ path: 'out/报告.docx', format: 'docx', bytes: 10_240 }],
  ms: 1,
} as const

test('a document made into another is not said to be smaller, nor to be something else than its name', () => {
  expect(reportLine(report, 102_400, { keepsFormat: false, savesBytes: false })).toBe('✓ 报告.pdf → out/报告.docx：100 KB → 10 KB')
  expect(reportLine(report, 102_400, { keepsFormat: true, savesBytes: true })).toBe(
    '✓ 报告.pdf → out/报告.docx：100 KB → 10 KB 省 90%（内容是 Word，已按 Word 处理）',
  )
})

test('a picture’s guessed proportions are said to be guessed by what they are', () => {
  const picture = { input: '图.jpg', outputs: [{ path: 'out/图.jpg', format: 'jpeg', bytes: 10_240 }], ms: 1 } as const
  const said = (note: { kind: 'guessed'; by?: 'file' | 'traces' }) =>
    reportLine({ ...picture, note }, 10_240, { keepsFormat: true, savesBytes: false })
  expect(said({ kind: 'guessed' })).toContain('按人脸估计')
  expect(said({ kind: 'guessed', by: 'file' })).toContain('按文件记录的原始尺寸估计')
  expect(said({ kind: 'guessed', by: 'traces' })).toContain('按缩放留下的痕迹估计')
})
