import { ExternalLink, FolderOpen } from 'lucide-react'
import { openResult, showResult } from './results.ts'
import { resultAt } from '#shared/local-results'

/** The ways to one result that lies on this computer, in place of a link that downloads it. */
export function ResultLinks({ url, className }: { url: string; className?: string | undefined }) {
  const result = resultAt(url)
  if (!result) return null
  const { jobId, output } = result
  return (
    <>
      <button type="button" className={className} onClick={() => void openResult(jobId, output)}>
        <ExternalLink size={18} aria-hidden />
        打开
      </button>
      <button type="button" className={className} onClick={() => void showResult(jobId, output)}>
        <FolderOpen size={18} aria-hidden />
        打开所在文件夹
      </button>
    </>
  )
}
