import { useNavigate } from 'react-router-dom'
import css from './row-parts.module.css'
import type { Row } from '../state/rows.ts'
import { findPage } from '#shared/tools/index'

const OCR_PAGE = '/pdf/ocr'

/** The way on for a PDF without text: the same file, read by OCR. */
export function OcrInstead({ row: { id, page, name, file, key, status } }: { row: Row }) {
  const navigate = useNavigate()
  const isScan = status.at === 'failed' && status.error.code === 'pdf.no-text'
  const hasSource = file !== undefined || key !== undefined
  if (!isScan || !hasSource || page === OCR_PAGE || !findPage(OCR_PAGE)) return null
  const move = (): void => {
    void import('../state/move-row.ts').then(({ moveRow }) => moveRow(id, OCR_PAGE)).then(() => navigate(OCR_PAGE))
  }
  return (
    <button type="button" className={css['fix']} aria-label={`改用 OCR 转换 ${name}`} onClick={move}>
      改用 OCR 转换
    </button>
  )
}
