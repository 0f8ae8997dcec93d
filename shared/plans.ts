/** What a plan costs and gives. Money in fen; the server alone decides by these what is to be paid. */
export interface Plan {
  readonly label: string
  readonly amountFen: number
  /** Of all pictures for ever, or so many. */
  readonly gives: { readonly isForever: true } | { readonly credits: number }
}

/** Everything on sale, by the codes of the specification. Codes are on the wire and in orders: they are added, never renamed. */
export const plans = {
  bigWeb: { label: '终身会员', amountFen: 2800, gives: { isForever: true } },
  smallWeb: { label: '按张数', amountFen: 990, gives: { credits: 1 } },
  retentionWeb: { label: '1000 张专享', amountFen: 980, gives: { credits: 1000 } },
} as const satisfies Record<string, Plan>

/** A plan's code. */
export type PlanCode = keyof typeof plans

/** Whether a text is the code of a plan. */
export const isPlanCode = (text: string): text is PlanCode => Object.hasOwn(plans, text)

/** Fen as people write it: 2800 is `28`, 990 is `9.9`. */
export const yuan = (fen: number): string => String(fen / 100)

/** Fen as bills and providers write it: 980 is `9.80`. */
export const decimalYuan = (fen: number): string => (fen / 100).toFixed(2)

/** What the cashier says of the plans it offers, in its order. Original price and saving are the seller's words, not a sum. */
export const planCards = [
  { code: 'bigWeb', originalFen: 12_800, savingFen: 10_000, words: '约 0.1 元/月 · 不限张数', ribbon: '永久' },
  { code: 'smallWeb', originalFen: 1290, savingFen: 200, words: '9.9 元/张 · 1 张', ribbon: undefined },
] as const satisfies readonly {
  readonly code: PlanCode
  readonly originalFen: number
  readonly savingFen: number
  readonly words: string
  readonly ribbon: string | undefined
}[]
