import { useEffect, useState } from 'react'
import { useAtomValue } from 'jotai'
import { PagePictures, type PagePicture } from './page-pictures.ts'
import type { PdfFile } from './pdf-file.ts'
import { loadPdfFile, passwordOf } from '../state/read-pdf.ts'
import { rowAtom } from '../state/rows.ts'
import { settingsAtom } from '../state/settings.ts'
import { messageOf } from '../words.ts'
import { AppError, toWire } from '#shared/errors/app-error'

/** An open PDF with small pictures of its pages. */
export interface OpenPdf {
  readonly pdf: PdfFile
  readonly pictures: PagePictures
}

const FAILED = '页面预览没有打开，请检查网络后刷新页面；不影响转换。'

/** The PDF of a row, open for as long as it is shown; a text says why there is none. */
export function usePdf(id: string, widthPx: number): OpenPdf | string | undefined {
  const row = useAtomValue(rowAtom(id))
  const { file } = row
  const password = passwordOf(row, useAtomValue(settingsAtom(row.page)))
  const [open, setOpen] = useState<OpenPdf | string>()
  useEffect(() => {
    if (!file) return undefined
    const opening = loadPdfFile().then(({ openPdf }) => openPdf(file, password))
    const made = opening.then((pdf) => ({ pdf, pictures: new PagePictures(pdf, widthPx) }))
    let isOver = false
    made.then(
      (one) => isOver || setOpen(one),
      (error: unknown) => isOver || setOpen(error instanceof AppError ? messageOf(toWire(error)) : FAILED),
    )
    return () => {
      isOver = true
      setOpen(undefined)
      void made.then(
        ({ pdf, pictures }) => {
          pictures.release()
          return pdf.close()
        },
        () => {},
      )
    }
  }, [file, password, widthPx])
  return open
}

/** The picture of a page, as soon as it is drawn. */
export function usePagePicture(pictures: PagePictures, page: number): PagePicture | undefined {
  const [made, setMade] = useState<{ readonly of: PagePictures; readonly page: number; readonly picture: PagePicture }>()
  const known = pictures.known(page)
  useEffect(() => {
    if (known) return undefined
    return pictures.ask(page, (picture) => setMade({ of: pictures, page, picture }))
  }, [pictures, page, known])
  if (known) return known
  return made?.of === pictures && made.page === page ? made.picture : undefined
}
