import { expect, it } from 'vitest'
import { amountOf } from '#renderer/tools/amount'
import { cutOut } from '#shared/tools/cut-out'
import { strength } from '#shared/tools/strength'

const casesOf = ({ view }: { view: typeof strength.view }) => {
  if (view.kind !== 'variant') throw new Error('no variant')
  return view.cases
}

it('an amount is left to the tool, or a number that passes as it is set', () => {
  const auto = amountOf(casesOf(strength), strength.initial)
  expect(auto).toMatchObject({ isAuto: true, value: 50, automatic: { by: 'auto' }, view: { min: 0, max: 100, unit: '%' } })
  const set = auto?.at(80)
  expect(strength.schema.parse(set)).toEqual({ by: 'manual', amount: 80 })
  expect(amountOf(casesOf(strength), set)).toMatchObject({ isAuto: false, value: 80 })
})

it('what a form holds that does not pass is shown as where it starts', () => {
  expect(amountOf(casesOf(strength), { by: 'manual', amount: 'much' })).toMatchObject({ isAuto: false, value: 50 })
  expect(amountOf(casesOf(strength), undefined)).toMatchObject({ isAuto: true })
})

it('other variants are no amounts', () => {
  expect(amountOf(casesOf(cutOut.options.background), undefined)).toBeUndefined()
})
