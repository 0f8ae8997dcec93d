import { useLayoutEffect, useRef } from 'react'
import { useAtomValue } from 'jotai'
import { Link, useLocation } from 'react-router-dom'
import { pageIcon } from './page-icons.ts'
import css from './side-menu.module.css'
import { totalsAtom } from '../state/totals.ts'
import { sectionOf } from '../tabs.ts'
import { pages } from '#shared/tools/index'

/** The pages of the section at hand, from the registry. Where they stand in one line, the one shown is scrolled into sight. */
export function SideMenu() {
  const { pathname } = useLocation()
  const menu = useRef<HTMLElement>(null)
  const section = sectionOf(pathname)
  const listed = pages.filter(({ tool, page }) => (page.section ?? tool.section) === section && page.inMenu)
  useLayoutEffect(() => {
    const current = menu.current?.querySelector<HTMLElement>('[aria-current]')
    if (menu.current && current) menu.current.scrollLeft = current.offsetLeft - (menu.current.clientWidth - current.offsetWidth) / 2
  }, [pathname])
  return (
    <nav ref={menu} className={css['menu']} aria-label="功能">
      {listed.map(({ tool, page }) => {
        const Icon = pageIcon(tool.id, page.path)
        return (
          <Link key={page.path} to={page.path} className={css['item']} aria-current={page.path === pathname ? 'page' : undefined}>
            <Icon size={18} strokeWidth={1.75} aria-hidden />
            {page.label}
            <Working page={page.path} />
          </Link>
        )
      })}
    </nav>
  )
}

/** Says that a page is at work while another is shown. */
function Working({ page }: { page: string }) {
  const { active } = useAtomValue(totalsAtom(page))
  return (
    active > 0 && (
      <span className={css['count']}>
        {active}
        <span className="visually-hidden"> 个文件处理中</span>
      </span>
    )
  )
}
