import { flagName, flagsOf, parseRun, UsageError } from './arguments.ts'
import { runFiles, type Terminal } from './run-files.ts'
import { MAX_POINTS, MAX_POINTS_IN_ALL, MAX_STROKES } from '#shared/strokes'
import { fieldsOf, pages, startOptions, type ToolPage } from '#shared/tools/index'
import type { Field, View } from '#shared/tools/field'

const USAGE = `轻图：图片与 PDF 处理，文件进、文件出，不联网

  qingtu run <页面> --out 文件夹 [--选项 值 …] [--json] 文件…
  qingtu tools [--json]        列出全部页面和选项

例：把照片压缩到 200 KB 以内
  qingtu run / --target-kb 200 --out small photos/*.jpg
例：把人像换到蓝底上（底色也可以写 transparent 或一张图片的路径）
  qingtu run /matting/person --background '#438edb' --out cut photos/*.jpg`

/** A terminal that shows the bar on stderr when somebody watches, and clears it before each line. */
function openTerminal(): Terminal {
  const isWatched = process.stderr.isTTY
  const clear = (): void => void (isWatched && process.stderr.write('\r\u001b[2K'))
  return {
    out: (line) => {
      clear()
      process.stdout.write(`${line}\n`)
    },
    log: (text) => {
      clear()
      process.stderr.write(`${text}\n`)
    },
    status: (text) => {
      clear()
      if (isWatched) process.stderr.write(text)
    },
  }
}

async function run(words: readonly string[]): Promise<number> {
  const request = parseRun(words)
  const terminal = openTerminal()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  // Whoever read our output has gone (`| head -1`): stop, quietly.
  process.stdout.on('error', () => stop.abort())
  const reports = await runFiles(request, terminal, stop.signal)
  terminal.status('')
  const failed = reports.filter((report) => report.error).length
  if (!request.isJson && reports.length > 1) terminal.out(`完成：成功 ${reports.length - failed} 个，失败 ${failed} 个`)
  return failed === 0 ? 0 : 1
}

/** Whether `#rrggbb` stands for one of a variant's cases. */
const takesColour = ({ read }: Extract<View, { kind: 'variant' }>): boolean => read?.('#000000') !== undefined

const rangeOf = ({ view }: Field<unknown>): Record<string, unknown> => {
  switch (view.kind) {
    case 'number':
      return { min: view.min, max: view.max, unit: view.unit, optional: view.optional }
    case 'choice':
      return { choices: view.choices }
    case 'variant':
      return { choices: Object.entries(view.cases).map(([value, { label }]) => ({ value, label })), colour: takesColour(view) }
    case 'text':
      return { maxLength: view.maxLength }
    case 'colour':
      return { presets: view.presets, canBeTransparent: view.canBeTransparent }
    case 'strokes':
    case 'hints':
      return { maxStrokes: MAX_STROKES, maxPoints: MAX_POINTS, maxPointsInAll: MAX_POINTS_IN_ALL }
    case 'flag':
      return {}
  }
}

/** A page as `qingtu tools --json` prints it. */
function describe(found: ToolPage): Record<string, unknown> {
  const { tool, page } = found
  const options = [...flagsOf(fieldsOf(tool))].map(([key, field]) => ({
    option: flagName(key),
    label: field.label,
    ...(field.hint !== undefined && { hint: field.hint }),
    kind: field.view.kind,
    ...rangeOf(field),
    initial: field.initial,
  }))
  const { attachment } = tool
  return {
    path: page.path,
    tool: tool.id,
    label: page.label,
    accepts: tool.accepts,
    start: startOptions(found),
    options,
    ...(attachment && { attachment: { ...attachment, option: flagName(attachment.option) } }),
  }
}

/** What an option takes, for a person. */
function rangeWords({ view }: Field<unknown>, takesFile: boolean): string {
  if (view.kind === 'number') return `${view.min}–${view.max}${view.unit}`
  if (view.kind === 'strokes' || view.kind === 'hints') return 'JSON'
  if (view.kind !== 'variant') return ''
  return [...Object.keys(view.cases), ...(takesColour(view) ? ['#rrggbb'] : []), ...(takesFile ? ['文件'] : [])].join(' | ')
}

function listTools(isJson: boolean): number {
  if (isJson) {
    for (const found of pages) console.log(JSON.stringify(describe(found)))
    return 0
  }
  for (const found of pages) console.log(`${found.page.path.padEnd(12)} ${found.tool.id.padEnd(16)} ${found.page.label}`)
  const listed = new Set(pages.map(({ tool }) => tool))
  for (const tool of listed) {
    console.log(`\n${tool.id} 的选项：`)
    for (const [key, field] of flagsOf(fieldsOf(tool))) {
      const words = [field.label, rangeWords(field, tool.attachment?.option === key), field.hint === undefined ? '' : `（${field.hint}）`]
      console.log(`  ${flagName(key).padEnd(16)} ${words.filter(Boolean).join('  ')}`)
    }
  }
  return 0
}

async function main([command, ...words]: readonly string[]): Promise<number> {
  if (command === 'run' && !words.includes('--help')) return run(words)
  if (command === 'tools') return listTools(words.includes('--json'))
  console.log(USAGE)
  return command === undefined || command === '--help' || command === 'help' || words.includes('--help') ? 0 : 2
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  return 2
})
