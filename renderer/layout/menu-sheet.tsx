import { Link, useLocation } from 'react-router-dom'
import css from './menu-sheet.module.css'
import { sectionOf, tabs } from '../tabs.ts'
import { Sheet } from '../ui/sheet.tsx'
import { pages } from '#shared/tools/index'

/** Every section, and the pages of those that have some, over the page. */
export function MenuSheet({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const active = sectionOf(pathname)
  return (
    <Sheet title="全部功能" onClose={onClose}>
      <nav className={css['menu']} aria-label="全部功能">
        {tabs.map(({ section, label, path }) => (
          <div key={section}>
            <Link to={path} className={css['section']} data-active={section === active || undefined} onClick={onClose}>
              {label}
            </Link>
            <ul>
              {pages
                .filter(({ tool, page }) => tool.section === section && page.inMenu)
                .map(({ page }) => (
                  <li key={page.path}>
                    <Link to={page.path} aria-current={page.path === pathname ? 'page' : undefined} onClick={onClose}>
                      {page.label}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
    </Sheet>
  )
}
