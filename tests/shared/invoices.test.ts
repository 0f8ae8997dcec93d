import { expect, it } from 'vitest'
import { faultyFields, invoiceFault, tidyInvoice, type InvoiceDraft } from '#shared/invoices'

const whole: InvoiceDraft = { kind: 'company', company: '某某公司', taxId: '91310000MA1K35X71D', email: 'a@b.cn' }
const faultsOf = (change: Partial<InvoiceDraft>): readonly string[] => faultyFields(tidyInvoice({ ...whole, ...change }))

it('takes a company with its tax number, and a person without one', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ kind: 'personal', company: '张三', taxId: '' })).toEqual([])
})

it('names every field that is wrong, in their order, and the first by its label', () => {
  expect(faultsOf({ company: ' ', taxId: '', email: '' })).toEqual(['company', 'taxId', 'email'])
  expect(invoiceFault({ ...whole, taxId: '', email: '' })).toBe('税号')
  expect(invoiceFault(whole)).toBeUndefined()
})

it.each(['9131', '91310000MA1K35X71D000', '9131 0000MA1K35X71'])('takes %s for no tax number', (taxId) => {
  expect(faultsOf({ taxId })).toEqual(['taxId'])
})

it.each(['a', 'a@b', 'a@b.', 'a b@c.cn', '@b.cn', 'a@@b.cn', '"a"@b.cn'])('takes %s for no address', (email) => {
  expect(faultsOf({ email })).toEqual(['email'])
})
