import { useEffect, useState } from 'react'
import { resultPicture } from '../state/result-pictures.ts'
import type { Row } from '../state/rows.ts'
import { isRemade } from './row-actions.ts'

/** The address of a small picture of what a file became, where that is something else than the file made smaller: a cut-out, an effect. */
export function useResultPicture(row: Row): string | undefined {
  const { jobId, status } = row
  const [shown, show] = useState<{ readonly jobId: string; readonly url: string }>()
  const output = status.at === 'done' && isRemade(row) ? status.outputs[0] : undefined
  const doneId = output && jobId
  useEffect(() => {
    if (doneId === undefined || !output) return undefined
    let isOver = false
    const ask = async (): Promise<void> => {
      const url = await resultPicture(doneId, output)
      if (!isOver && url !== undefined) show({ jobId: doneId, url })
    }
    void ask()
    return () => {
      isOver = true
    }
  }, [doneId, output])
  return shown && shown.jobId === doneId ? shown.url : undefined
}
