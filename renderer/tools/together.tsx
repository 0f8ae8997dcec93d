import { useAtomValue } from 'jotai'
import { Download, FileArchive } from 'lucide-react'
import css from './together.module.css'
import { ResultLinks } from '../client/result-links.tsx'
import { isClient } from '../platform/desktop.ts'
import { resultsAtom } from '../state/totals.ts'
import { formatBytes } from '#shared/units'

/** The results that a page's files were made into together. */
export function Together({ page }: { page: string }) {
  const results = useAtomValue(resultsAtom(page))
  if (results.length === 0) return null
  return (
    <ul className={css['results']} aria-label="结果">
      {results.map(({ url, name, bytes }) => (
        <li key={url}>
          <FileArchive size={28} aria-hidden />
          <b title={name}>{name}</b>
          <span>{formatBytes(bytes)}</span>
          {isClient ? (
            <ResultLinks url={url} />
          ) : (
            <a href={url} download={name}>
              <Download size={18} aria-hidden />
              下载
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
