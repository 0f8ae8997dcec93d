import css from './choice-bar.module.css'
import { everyPage } from './page-choice.ts'
import type { PageChoice } from './use-page-choice.ts'

/** What is chosen, and choices of one click. */
export function ChoiceBar({ choice, count }: { choice: PageChoice; count: number }) {
  const { chosen, choose, isWrong, text } = choice
  return (
    <div className={css['bar']}>
      <p aria-live="polite" data-wrong={isWrong || undefined}>
        {text}
      </p>
      <div className={css['buttons']}>
        <button type="button" onClick={() => choose(everyPage(count, 'all'))}>
          全选
        </button>
        {count > 1 && (
          <>
            <button type="button" onClick={() => choose(everyPage(count, 'odd'))}>
              奇数页
            </button>
            <button type="button" onClick={() => choose(everyPage(count, 'even'))}>
              偶数页
            </button>
          </>
        )}
        <button type="button" disabled={chosen.length === 0 && !isWrong} onClick={() => choose([])}>
          取消选择
        </button>
      </div>
    </div>
  )
}
