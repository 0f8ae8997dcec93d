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
