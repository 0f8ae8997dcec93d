import { useEffect, useRef, useState } from 'react'
import { useAtomValue } from 'jotai'
import css from './original-pages.module.css'
import { SHOWN_PAGES } from './read-result.ts'
import { scrolled } from './use-scrolled-together.ts'
import { chosenOf, everyPage } from '../pdf/page-choice.ts'
import type { PagePictures } from '../pdf/page-pictures.ts'
import { usePagePicture, usePdf, type OpenPdf } from '../pdf/use-pdf.ts'
import { rowAtom } from '../state/rows.ts'
import { settingsAtom } from '../state/settings.ts'
import type { Size } from '#shared/resize'

/** As sharp as half a wide screen shows it. */
const WIDTH_PX = 1000

/** The pages of a PDF that a result was made of, beside it. */
export function OriginalPages({ id }: { readonly id: string }) {
  const open = usePdf(id, WIDTH_PX)
  return (
    <div className={css['pages']} tabIndex={0} role="region" aria-label="原文" {...scrolled}>
      {typeof open === 'string' && <p>{open}</p>}
      {typeof open === 'object' && <Pages id={id} open={open} />}
    </div>
  )
}

function Pages({ id, open: { pdf, pictures } }: { readonly id: string; readonly open: OpenPdf }) {
  const { page, options } = useAtomValue(rowAtom(id))
  const common = useAtomValue(settingsAtom(page))
  const chosen = chosenOf(String(options?.['pages'] ?? common['pages'] ?? ''), pdf.pages) ?? []
  const shown = (chosen.length > 0 ? chosen : everyPage(pdf.pages, 'all')).slice(0, SHOWN_PAGES)
  return shown.map((number) => <Paper key={number} number={number} pictures={pictures} sidesOf={pdf.sidesOf} />)
}

interface PaperProps {
  readonly number: number
  readonly pictures: PagePictures
  readonly sidesOf: (page: number) => Promise<Size>
}

/** A page's place, of its shape from the start; drawn once it comes into sight. */
function Paper({ number, pictures, sidesOf }: PaperProps) {
  const place = useRef<HTMLDivElement>(null)
  const [sides, setSides] = useState<Size>({ width: 210, height: 297 })
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    sidesOf(number).then(setSides, () => {})
  }, [sidesOf, number])
  useEffect(() => {
    if (!place.current) return undefined
    const observer = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)), {
      rootMargin: '50% 0px',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className={css['paper']} style={{ aspectRatio: `${sides.width} / ${sides.height}` }}>
      {isSeen && <Drawn number={number} pictures={pictures} />}
    </div>
  )
}

function Drawn({ number, pictures }: Omit<PaperProps, 'sidesOf'>) {
  const picture = usePagePicture(pictures, number)
  if (picture === 'failed') return <p>此页无法预览</p>
  return picture && <img src={picture.url} alt={`原文第 ${number} 页`} />
}
