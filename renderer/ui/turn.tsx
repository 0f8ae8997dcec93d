import { ChevronLeft, ChevronRight } from 'lucide-react'

interface Props {
  readonly label: '上一张' | '下一张' | '上一页' | '下一页' | '上一个' | '下一个'
  readonly className: string | undefined
  readonly onTurn: (() => void) | undefined
}

/** To a neighbour in a dialog. Not `disabled` at the ends: that would drop the focus, and the arrow keys with it. */
export function Turn({ label, className, onTurn }: Props) {
  const Icon = label.startsWith('上') ? ChevronLeft : ChevronRight
  return (
    <button type="button" className={className} aria-label={label} title={label} aria-disabled={!onTurn} onClick={onTurn}>
      <Icon size={20} aria-hidden />
    </button>
  )
}
