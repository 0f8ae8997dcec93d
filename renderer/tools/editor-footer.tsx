import type { ReactNode } from 'react'

interface Props {
  /** Takes everything back, or what else stands first. */
  readonly first?: ReactNode
  readonly warning?: string | undefined
  /** Said where there is nothing to warn of. */
  readonly advice?: string
  /** Keeps the same for every file of the page; what it does is told by its hint. */
  readonly all?: { readonly hint: string; readonly onClick: () => void } | false | undefined
  readonly done: { readonly label: string; readonly onClick: () => void; readonly isDisabled?: boolean }
}

/** The last row of an editor: what there is to say, and the ways out of it. */
export const EditorFooter = ({ first, warning, advice = '', all, done }: Props) => (
  <>
    {first}
    <p role={warning ? 'alert' : undefined}>{warning || advice}</p>
    {all && (
      <button type="button" title={all.hint} onClick={all.onClick}>
        应用到全部
      </button>
    )}
    <button type="button" data-primary disabled={done.isDisabled} onClick={done.onClick}>
      {done.label}
    </button>
  </>
)

/** The way back to how an editor began. */
export const ResetButton = ({ label = '重置', onClick }: { readonly label?: string; readonly onClick: () => void }) => (
  <button type="button" onClick={onClick}>
    {label}
  </button>
)
