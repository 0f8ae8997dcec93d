import { useEffect, useState } from 'react'
import { resultPicture } from '../state/result-pictures.ts'
import type { Row } from '../state/rows.ts'

/** The address of a small picture of what a file became, where that is something else than the file made smaller: a cut-out. */
export function useResultPicture({ jobId, made, status }: Row): string | undefined {
  const [shown, show] = useState<{ readonly jobId: string; readonly url: string }>()
  const output = status.at === 'done' && made?.subject !== undefined ? status.outputs[0] : undefined
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
