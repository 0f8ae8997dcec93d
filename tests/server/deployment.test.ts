import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sharedServer } from '../fixtures/shared-server.ts'
import { root } from '#build/setup'
import { variables } from '#server/variables'

const shared = sharedServer()
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

/** Metrics of ours that a text of queries names; of a histogram the one that its lines belong to. */
const named = (text: string): readonly string[] =>
  [...new Set(text.match(/\b(?:qingtu|http_request|process|nodejs)_[a-z0-9_]+/g))].map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))

it('every figure that alerts and the dashboard ask for is on /metrics', async () => {
  const figures = await (await fetch(`${shared().url}/metrics`)).text()
  const there = new Set([...figures.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  for (const file of ['prometheus/alerts.yml', 'grafana/dashboards/qingtu.json']) {
    const asked = named(read('build/deploy', file))
    expect(asked.length).toBeGreaterThan(10)
    expect([file, asked.filter((name) => !there.has(name))]).toEqual([file, []])
  }
})

it('every alert says what is wrong and what to do, and has a case in which it fires', () => {
  const rules = read('build/deploy/prometheus/alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1)
  const tried = read('build/deploy/prometheus/alerts.test.yml')
  for (const rule of rules) {
    const [name = ''] = rule.split('\n')
    expect([name, /summary: '.*[\u4e00-\u9fff]/.test(rule), /action: '.*[\u4e00-\u9fff]/.test(rule)]).toEqual([name, true, true])
    expect(tried).toContain(`{alertname="${name}"}`)
  }
})

it('every variable that the deployment sets is one the server reads', () => {
  const example = read('build/deploy/app.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)
  const units = ['api@', 'worker@', 'storage'].flatMap((unit) => [
    ...read(`build/deploy/systemd/qingtu-${unit}.service`).matchAll(/^Environment=([A-Z][A-Z0-9_]+)=/gm),
  ])
  const compose = read('compose.yaml').matchAll(/\b([A-Z]+_(?:WORKERS|THREADS|URL|SECONDS|PROXIES)|WORKERS): /g)
  const unknown = [...example, ...units, ...compose].map(([, name = '']) => name).filter((name) => !Object.hasOwn(variables, name))
  expect(unknown).toEqual([])
})

it('no container that comes up first takes the address of another', () => {
  const compose = read('compose.yaml')
  const [, range = ''] = /ip_range: ([\d.]+)\/25/.exec(compose) ?? []
  const last = (address: string): number => Number(address.split('.').at(-1))
  const fixed = [...compose.matchAll(/ipv4_address: ([\d.]+)/g)].map(([, address = '']) => last(address))
  expect(fixed).toHaveLength(3)
  expect(Math.max(...fixed)).toBeLessThan(last(range))
})
