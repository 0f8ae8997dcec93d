import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { orderBody, pageOf, payAt, until } from '../fixtures/payments.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor, type TestServer } from '../fixtures/server.ts'

/** The figures, as lines of a name with its labels and a value. */
async function figuresOf({ url }: TestServer): Promise<(name: string) => number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const values = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
  return (name) => values.get(name)
}

describe('the figures', () => {
  it('tell of jobs that were done and that failed, of uploads and of the processes behind them', async () => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const good = await photo(400, 300).jpeg({ quality: 95 }).toBuffer()
    const cut = good.subarray(0, 900)
    const ids = await visitor.start(
      [
        { name: 'a.jpg', bytes: good },
        { name: 'b.jpg', bytes: cut },
      ],
      toSize(10),
    )
    const ended = await Promise.all(ids.map((id) => visitor.ended(id)))
    expect(ended.map(({ state }) => state)).toEqual(['done', 'failed'])
    const code = ended[1]?.error?.code ?? ''
    const figure = await figuresOf(server)
    expect(figure('qingtu_jobs_ended_total{tool="compress-image",state="done"}')).toBe(1)
    expect(figure('qingtu_jobs_ended_total{tool="compress-image",state="failed"}')).toBe(1)
    expect(figure(`qingtu_job_failures_total{tool="compress-image",code="${code}"}`)).toBe(1)
    expect(figure('qingtu_job_duration_seconds_count{tool="compress-image"}')).toBe(2)
    expect(figure('qingtu_uploads_total')).toBe(2)
    expect(figure('qingtu_upload_bytes_total')).toBe(good.length + cut.length)
    expect(figure('qingtu_upload_credentials_total')).toBe(1)
    expect(figure('qingtu_children')).toBeGreaterThan(0)
    expect(figure('qingtu_child_resident_bytes')).toBeGreaterThan(20e6)
    expect(figure('qingtu_storage_free_bytes')).toBeGreaterThan(0)
    expect(figure('qingtu_storage_free_bytes')).toBeLessThanOrEqual(figure('qingtu_storage_size_bytes') ?? 0)
    expect(figure('qingtu_database_up')).toBe(1)
    await until(async () => (await figuresOf(server))('qingtu_workers_alive{class="usual"}') === 1)
    expect(figure('qingtu_database_connections{state="open"}')).toBeGreaterThan(0)
    expect(figure('qingtu_jobs{class="usual",state="queued"}')).toBe(0)
    expect(figure('qingtu_oldest_job_seconds{class="usual",state="queued"}')).toBe(0)
  })

  it('tell of who was refused, who asked too often and who listens', async () => {
    await using server = await testServer({ rates: { operatorLogin: [1, 900] } })
    const visitor = await Visitor.enter(server.url)
    await visitor.send('/api/user/login', { openid: '0123456789abcdefghjkmnpqrs' })
    await visitor.send('/api/user/openid', { orderid: '20261121abcdefghjkmnpqrstvwx' })
    const guess = { name: 'op', password: 'x', code: '1' }
    const answers = [await visitor.send('/api/operator/login', guess), await visitor.send('/api/operator/login', guess)]
    expect(answers.map(({ status }) => status)).toEqual([401, 429])
    const aborts = new AbortController()
    await visitor.fetch('/api/jobs/events', { signal: aborts.signal })
    const figure = await figuresOf(server)
    for (const by of ['account', 'order', 'operator']) expect(figure(`qingtu_logins_refused_total{by="${by}"}`)).toBe(1)
    expect(figure('qingtu_rate_limited_total{route="/api/operator/login"}')).toBe(1)
    expect(figure('qingtu_request_failures_total{code="rate.limited"}')).toBe(1)
    expect(figure('qingtu_event_streams_open')).toBe(1)
    aborts.abort()
    await until(async () => (await figuresOf(server))('qingtu_event_streams_open') === 0)
  })

  it('tell of orders, payments, and messages nobody believes', async () => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const body = await orderBody(visitor, 'bigWeb')
    const { result } = await visitor.post<{ result: string }>('/api/order/alipay', body)
    await visitor.post('/api/order/alipay', body)
    await payAt(server.url, await pageOf(result))
    await until(async () => (await visitor.post('/api/order/check', { orderId: body.orderId })) === '支付完成')
    await fetch(`${server.url}/api/pay/notify/wxpay`, { method: 'POST', body: '{}' })
    const figure = await figuresOf(server)
    expect(figure('qingtu_orders_created_total{method="alipay"}')).toBe(1)
    expect(figure('qingtu_payments_total{method="alipay",became="credited"}')).toBe(1)
    expect(figure('qingtu_payment_notices_refused_total{method="wechat"}')).toBe(1)
    expect(figure('qingtu_orders_unsettled')).toBe(0)
    expect(figure('qingtu_refunds_pending')).toBe(0)
    expect(figure('qingtu_conversions{state="wanted"}')).toBe(1)
    expect(figure('qingtu_reconciliation_differences')).toBe(0)
  })
})
