/** What somebody fills in to get an invoice. */
export interface InvoiceDraft {
  readonly kind: 'personal' | 'company'
  /** Whom it is made out to. */
  readonly company: string
  /** A company's taxpayer number; empty for a person. */
  readonly taxId: string
  readonly email: string
}

/** A unified social credit code (18 characters, GB 32100), or an older taxpayer number of 15 to 20. */
const TAX_ID = /^[\dA-Z]{15,20}$/
const EMAIL = /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;.]{2,}$/
/** Characters that are not seen, or turn others around. */
const UNSEEN = /[\p{Cc}\p{Cf}]/u

/** A draft as it is kept: without blanks around, the taxpayer number in capitals, and none for a person. */
export const tidyInvoice = ({ kind, company, taxId, email }: InvoiceDraft): InvoiceDraft => ({
  kind,
  company: company.trim(),
  taxId: kind === 'company' ? taxId.trim().toUpperCase() : '',
  email: email.trim(),
})

/** What of a draft people fill in by hand. */
export type InvoiceField = 'company' | 'taxId' | 'email'

/** The fields of a tidy draft that are filled in wrongly, in their order. */
export function faultyFields({ kind, company, taxId, email }: InvoiceDraft): readonly InvoiceField[] {
  const isRight: Readonly<Record<InvoiceField, boolean>> = {
    company: company !== '' && company.length <= 100 && !UNSEEN.test(company),
    taxId: kind === 'personal' || TAX_ID.test(taxId),
    email: EMAIL.test(email) && email.length <= 200 && !UNSEEN.test(email),
  }
  return (['company', 'taxId', 'email'] as const).filter((field) => !isRight[field])
}

const labels: Readonly<Record<InvoiceField, string>> = { company: '发票抬头', taxId: '税号', email: '邮箱' }

/** The label of the first field of a tidy draft that is filled in wrongly; undefined where all is well. */
export function invoiceFault(draft: InvoiceDraft): string | undefined {
  const [first] = faultyFields(draft)
  return first && labels[first]
}
