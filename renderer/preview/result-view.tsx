import type { ReactNode } from 'react'
import { DocxPageView } from './docx-view.tsx'
import { OfdPageView } from './ofd-view.tsx'
import type { Preview } from './read-result.ts'
import css from './result-view.module.css'
import { SheetsView } from './sheet-view.tsx'
import { SlideView } from './slide-view.tsx'
import { scrolled } from './use-scrolled-together.ts'
import { useWidth } from './use-width.ts'

/** CSS counts 96 pixels to an inch, paper 72 points. */
const PX_A_POINT = 96 / 72

/** Pages one under the other, each as wide as there is room for, at most as large as they are. */
function Pages({
  label,
  widths,
  page,
}: {
  readonly label: string
  readonly widths: readonly number[]
  readonly page: (at: number) => ReactNode
}) {
  const [frame, width] = useWidth<HTMLDivElement>()
  return (
    <div ref={frame} className={css['pages']} tabIndex={0} role="region" aria-label={label} {...scrolled}>
      {width > 0 &&
        widths.map((points, n) => (
          <div key={n} style={{ zoom: Math.min(1, width / (points * PX_A_POINT)) }}>
            {page(n)}
          </div>
        ))}
    </div>
  )
}

/** A result, simply shown. */
export function ResultView({ preview }: { readonly preview: Preview }) {
  const label = '结果预览'
  switch (preview.kind) {
    case 'docx': {
      const { pages, pictures } = preview
      const page = (at: number): ReactNode => pages[at] && <DocxPageView page={pages[at]} pictures={pictures} />
      return <Pages label={label} widths={pages.map((one) => one.width)} page={page} />
    }
    case 'pptx': {
      const { slides, pictures } = preview
      const page = (at: number): ReactNode => <SlideView slides={slides} at={at} pictures={pictures} />
      return <Pages label={label} widths={slides.slides.map(() => slides.width)} page={page} />
    }
    case 'ofd':
      return (
        <div className={css['pages']} tabIndex={0} role="region" aria-label={label} {...scrolled}>
          {preview.pages.map((page, n) => (
            <OfdPageView key={n} page={page} at={n} pictures={preview.pictures} />
          ))}
        </div>
      )
    case 'xlsx':
      return <SheetsView grids={preview.grids} />
    case 'txt':
      return (
        <pre className={css['text']} tabIndex={0} role="region" aria-label={label}>
          {preview.text}
        </pre>
      )
  }
}
