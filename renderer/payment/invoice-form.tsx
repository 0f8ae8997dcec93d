import { useId, useRef, useState, type FormEvent } from 'react'
import css from './invoice.module.css'
import { transport } from '../platform/http.ts'
import { failureText } from '../text.ts'
import { askInvoice } from '#shared/api/orders'
import { CONTROL_MS, send } from '#shared/api/send'
import { faultyFields, tidyInvoice, type InvoiceDraft, type InvoiceField } from '#shared/invoices'

const EMPTY: InvoiceDraft = { kind: 'company', company: '', taxId: '', email: '' }

/** What to do about a field that is filled in wrongly. */
const wordsOf = (field: InvoiceField, { kind }: InvoiceDraft): string =>
  ({
    company: kind === 'company' ? '请输入公司全称。' : '请输入个人姓名。',
    taxId: '请输入 15 至 20 位纳税人识别号，只含数字和字母。',
    email: '请输入能收到发票的邮箱，如 name@example.com。',
  })[field]

/** To whom and where an invoice goes. */
export function InvoiceForm({ orderId, onAsked }: { orderId: string; onAsked: () => Promise<void> }) {
  const [draft, setDraft] = useState(EMPTY)
  const [left, setLeft] = useState<readonly InvoiceField[]>([])
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const faults = faultyFields(tidyInvoice(draft))
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isSending) return
    setLeft(['company', 'taxId', 'email'])
    const [first] = faults
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    setSending(true)
    setFailure('')
    try {
      await send(transport, askInvoice, { orderId, ...tidyInvoice(draft) }, { deadlineMs: CONTROL_MS })
      await onAsked()
    } catch (thrown) {
      setFailure(failureText(thrown))
      setSending(false)
    }
  }
  const field = (name: InvoiceField, label: string, maxLength: number, type = 'text') => (
    <Field
      name={name}
      label={label}
      type={type}
      maxLength={maxLength}
      value={draft[name]}
      fault={left.includes(name) && faults.includes(name) ? wordsOf(name, draft) : undefined}
      onChange={(value) => setDraft({ ...draft, [name]: value })}
      onLeave={() => setLeft([...left, name])}
    />
  )
  return (
    <form ref={form} className={css['form']} noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className={css['kinds']}>
        <legend>抬头类型</legend>
        {(['company', 'personal'] as const).map((kind) => (
          <label key={kind}>
            <input type="radio" name="kind" checked={draft.kind === kind} onChange={() => setDraft({ ...draft, kind })} />
            {kind === 'company' ? '企业' : '个人'}
          </label>
        ))}
      </fieldset>
      {field('company', '发票抬头', 100)}
      {draft.kind === 'company' && field('taxId', '税号', 30)}
      {field('email', '接收邮箱', 200, 'email')}
      <p className={css['failure']} role="alert">
        {failure}
      </p>
      <button type="submit" className={css['submit']} aria-disabled={isSending}>
        {isSending ? '正在提交…' : '提交申请'}
      </button>
    </form>
  )
}

interface FieldProps {
  readonly name: InvoiceField
  readonly label: string
  readonly type: string
  readonly maxLength: number
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
  readonly onLeave: () => void
}

function Field({ name, label, type, maxLength, value, fault, onChange, onLeave }: FieldProps) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        maxLength={maxLength}
        value={value}
        aria-required
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onLeave}
      />
      <p id={`${id}-fault`}>{fault}</p>
    </div>
  )
}
