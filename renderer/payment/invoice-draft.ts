/** What somebody has written so far. */
export interface InvoiceDraft {
  readonly kind: 'personal' | 'company'
  readonly company: string
  readonly taxId: string
  readonly email: string
}

export type InvoiceField = 'company' | 'taxId' | 'email'

/** Unified social credit codes have 18 characters, older tax numbers 15 or 20. */
const TAX_ID = /^(?:[\dA-Z]{15}|[\dA-Z]{18}|[\dA-Z]{20})$/i
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

/** What is wrong with each field, in words; nothing is where it is right. */
export function invoiceFaults({ kind, company, taxId, email }: InvoiceDraft): Partial<Record<InvoiceField, string>> {
  return {
    ...(company.trim() === '' && { company: kind === 'company' ? '请输入公司全称。' : '请输入个人姓名。' }),
    ...(kind === 'company' && !TAX_ID.test(taxId.trim()) && { taxId: '请输入 15、18 或 20 位纳税人识别号。' }),
    ...(!EMAIL.test(email.trim()) && { email: '请输入能收到发票的邮箱，如 name@example.com。' }),
  }
}
