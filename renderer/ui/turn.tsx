import { ChevronLeft, ChevronRight } from 'lucide-react'

interface Props {
  readonly label: '上一张' | '下一张'
  readonly className: string | undefined
  readonly onTurn: (() => void) | undefined
}

/** To a neighbour in a dialog. Not `disabled` at the ends: that would drop the focus, and the arrow keys with it. */
export function Turn({ label, className, onTurn }: Props) {
  const Icon = label === '上一张' ? ChevronLeft : ChevronRight
  return (
    <button type="button" className={className} aria-label={label} title={label} aria-disabled={!onTurn} onClick={onTurn}>
      <Icon size={20} aria-hidden />
    </button>
  )
}
