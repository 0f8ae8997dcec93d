import type { Options } from '../state/settings.ts'
import { caseOf } from './summary.ts'
import { initialOfCase, type Cases, type View } from '#shared/tools/field'

/** A variant that is slid: a case without a number, and one with one. */
export interface Amount {
  readonly isAuto: boolean
  /** What is set, or what the case starts with. */
  readonly value: number
  readonly view: Extract<View, { kind: 'number' }>
  readonly automatic: Options
  readonly at: (value: number) => Options
}

/** The amount of a slid variant's value; undefined where its cases are no such pair. */
export function amountOf(cases: Cases, value: unknown): Amount | undefined {
  const names = Object.keys(cases)
  const auto = names.find((name) => Object.keys(caseOf(cases, name)).length === 0)
  const manual = names.find((name) => name !== auto)
  if (auto === undefined || manual === undefined) return undefined
  const [key, field] = Object.entries(caseOf(cases, manual))[0] ?? []
  if (key === undefined || field?.view.kind !== 'number') return undefined
  const values: Options = typeof value === 'object' && value !== null ? { ...value } : {}
  const given = values['by'] === manual ? values[key] : undefined
  return {
    isAuto: values['by'] !== manual,
    value: typeof given === 'number' ? given : Number(field.initial),
    view: field.view,
    automatic: initialOfCase(cases, auto),
    at: (number) => ({ by: manual, [key]: number }),
  }
}
