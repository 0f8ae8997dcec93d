import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod/mini'
import { ask } from './operator.ts'
import css from './paid.module.css'
import { failureText } from '../text.ts'
import { jobsReport } from '#shared/api/operators'
import { pages } from '#shared/tools/index'

type Report = z.infer<typeof jobsReport.reply>
type Class = Report['queue'][number]['class']

const classes: Readonly<Record<Class, string>> = { usual: '图片', document: '文档', ai: 'AI' }
const states = [
  ['done', '完成'],
  ['failed', '失败'],
  ['cancelled', '取消'],
  ['queued', '排队'],
  ['running', '处理中'],
  ['expired', '已清理'],
] as const

const nameOf = (tool: string): string => pages.find((one) => one.tool.id === tool)?.page.label ?? tool
const timeOf = (at: string): string => new Date(at).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false })
const lasting = (seconds: number): string => (seconds < 60 ? `${seconds.toFixed(1)} 秒` : `${(seconds / 60).toFixed(1)} 分钟`)

/** How the jobs of the last 24 hours went, who works on them, and what waits. */
export function Jobs() {
  const [tool, setTool] = useState('')
  const [code, setCode] = useState('')
  const { report, failure, load } = useReport(tool, code)
  return (
    <>
      <div className={css['bar']}>
        <Filter label="工具" value={tool} onChange={setTool} options={[...new Set(pages.map((one) => one.tool.id))]} nameOf={nameOf} />
        <Filter label="失败代码" value={code} onChange={setCode} options={report?.codes.map((one) => one.code) ?? []} nameOf={String} />
        <button type="button" onClick={() => void load()}>
          刷新
        </button>
        <p role="status">{report ? `24 小时内 ${sumOf(report.counts)} 个任务，失败 ${sumOf(report.codes)} 个` : ''}</p>
      </div>
      {failure !== '' && <p role="alert">{failure}</p>}
      {!report && failure === '' && <p>加载中…</p>}
      {report && <Tables report={report} />}
    </>
  )
}

/** The newest answer to what is asked for now. */
function useReport(tool: string, code: string) {
  const [report, setReport] = useState<Report>()
  const [failure, setFailure] = useState('')
  const latest = useRef(0)
  const load = async (): Promise<void> => {
    const turn = ++latest.current
    setFailure('')
    const asked = { ...(tool !== '' && { tool }), ...(code !== '' && { code }) }
    await ask(jobsReport, asked).then(
      (found) => turn === latest.current && setReport(found),
      (thrown: unknown) => setFailure(failureText(thrown)),
    )
  }
  useEffect(() => void load(), [tool, code])
  return { report, failure, load }
}

const sumOf = (all: readonly { readonly count: number }[]): number => all.reduce((sum, { count }) => sum + count, 0)

interface Choice {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly nameOf: (option: string) => string
  readonly onChange: (value: string) => void
}

function Filter({ label, value, options, nameOf: named, onChange }: Choice) {
  // What was chosen stays to be seen when nothing has it any more.
  const shown = value === '' || options.includes(value) ? options : [value, ...options]
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">全部</option>
        {shown.map((option) => (
          <option key={option} value={option}>
            {named(option)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Tables({ report: { counts, codes, queue, workers, failures } }: { report: Report }) {
  const tools = [...new Set(counts.map(({ tool }) => tool))].toSorted()
  const countOf = (tool: string, state: string): number => sumOf(counts.filter((one) => one.tool === tool && one.state === state))
  return (
    <>
      <Table
        title="队列"
        heads={['类别', '排队', '处理中', '最久等待']}
        rows={queue.map((one) => [classes[one.class], one.queued, one.running, lasting(one.oldestSeconds)])}
      />
      <Table
        title="处理进程"
        none="没有处理任务的进程：请启动 worker。"
        heads={['主机', '图片', '文档', 'AI', '启动', '最近心跳', '状态']}
        rows={workers.map(({ host, sizes, startedAt, beatAt, isAlive }) => {
          const state = <span data-state={isAlive ? 'issued' : 'rejected'}>{isAlive ? '工作中' : '失去联系'}</span>
          return [host, sizes.usual, sizes.document, sizes.ai, timeOf(startedAt), timeOf(beatAt), state]
        })}
      />
      <Table
        title="按工具"
        none="24 小时内没有任务。"
        heads={['工具', ...states.map(([, label]) => label)]}
        rows={tools.map((tool) => [nameOf(tool), ...states.map(([state]) => countOf(tool, state))])}
      />
      <Table title="按失败代码" none="没有失败的任务。" heads={['代码', '个数']} rows={codes.map(({ code, count }) => [code, count])} />
      {failures.length > 0 && (
        <Table
          title="最近的失败"
          heads={['时间', '工具', '代码', 'ref', '任务', '从提交到结束']}
          rows={failures.map(({ at, tool, code, ref, id, seconds }) => [timeOf(at), nameOf(tool), code, ref, id, lasting(seconds)])}
        />
      )}
    </>
  )
}

interface Rows {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** What is said where there is none. */
  readonly none?: string
}

function Table({ title, heads, rows, none }: Rows) {
  return (
    <section className={css['part']}>
      <h2>{title}</h2>
      {rows.length === 0 && <p>{none}</p>}
      {rows.length > 0 && (
        // Scrolled sideways on a phone, also by keyboard.
        <div className={css['table']} role="region" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, n) => (
                <tr key={n}>
                  {cells.map((cell, at) => (
                    <td key={heads[at]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
