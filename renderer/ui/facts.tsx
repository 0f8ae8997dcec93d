import type { ReactNode } from 'react'
import css from './facts.module.css'

/** What is told in pairs, a line each: `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={css['facts']}>{children}</dl>
}

/** One of them. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
