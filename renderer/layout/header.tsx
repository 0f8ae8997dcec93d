import { useState } from 'react'
import { Menu } from 'lucide-react'
import { Link, useLocation } from 'react-router-dom'
import { HeaderSide } from './header-side.tsx'
import css from './header.module.css'
import { sectionOf, tabs } from '../tabs.ts'
import { arriving } from '../ui/arriving.tsx'

const MenuSheet = arriving(() => import('./menu-sheet.tsx').then((module) => module.MenuSheet))

/** Logo and tabs; the active tab follows from the address. On a phone the tabs stand in a menu. */
export function Header() {
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const active = sectionOf(pathname)
  return (
    <header className={css['header']}>
      <Link className={css['logo']} to="/" aria-label="轻图首页">
        <img src="/icon.svg" width="28" height="28" alt="" />
        轻图
      </Link>
      <nav className={css['tabs']} aria-label="功能分类">
        {tabs.map(({ section, label, path }) => (
          <Link key={section} to={path} className={css['tab']} aria-current={section === active ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <HeaderSide />
      <button type="button" className={css['menu']} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Menu size={24} aria-hidden />
        <span className="visually-hidden">全部功能</span>
      </button>
      {isOpen && <MenuSheet onClose={() => setOpen(false)} />}
    </header>
  )
}
