import { told } from './client-state.ts'
import { ask } from '../platform/ask.ts'
import type { Row } from '../state/rows.ts'

/** Opens a row's result in the program that is there for it; of several, their folder. */
export const openResults = (row: Row): Promise<void> => {
  const { jobId, status } = row
  if (jobId === undefined || status.at !== 'done') return Promise.resolve()
  return status.outputs.length > 1 ? showResults([row]) : openResult(jobId, 0)
}

/** Opens one result. */
export const openResult = (jobId: string, output: number): Promise<void> => told('没有打开', () => ask('results:open', { jobId, output }))

/** Shows results in their folder: that of the last row that has some. */
export const showResults = (rows: readonly Row[]): Promise<void> => {
  const jobId = rows.findLast(({ status }) => status.at === 'done')?.jobId
  return jobId === undefined ? Promise.resolve() : showResult(jobId, 0)
}

/** Shows one result in its folder. */
export const showResult = (jobId: string, output: number): Promise<void> => told('没有打开', () => ask('results:show', { jobId, output }))

/** Has one result copied to where a person says. */
export const saveResultAs = (jobId: string, output: number): Promise<void> =>
  told('没有保存', () => ask('results:save-as', { jobId, output }))
