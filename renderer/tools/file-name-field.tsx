import { useState } from 'react'
import { useAtomValue } from 'jotai'
import { FieldSet, Select } from './fields.tsx'
import css from './file-name-field.module.css'
import { listAtom, readRow } from '../state/rows.ts'
import type { Options } from '../state/settings.ts'
import { messageOf } from '../words.ts'
import { formats, isFormatId } from '#shared/formats'
import { splitName } from '#shared/names'
import { isFileNameRule, naming, SOURCE_NAME, writtenBy } from '#shared/tools/file-name'

const CUSTOM = ''
const SAME = '与原文件相同'
/** Rules for one click, and one's own. */
const choices: readonly (readonly [rule: string, label: string])[] = [
  [SOURCE_NAME, SAME],
  [`${SOURCE_NAME}_轻图`, '加后缀 _轻图'],
  ['{nnn}', '序号 001'],
  [CUSTOM, '自定义'],
]

interface Props {
  readonly path: string
  /** The file the rule is for, where it is one file's. */
  readonly id: string | undefined
  readonly values: Options
  readonly onChange: (values: Options) => void
}

/** How results are called, folded to one line that shows what the first of them will be called. */
export function FileNameField({ path, id, values, onChange }: Props) {
  const ids = useAtomValue(listAtom(path))
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const rule = String(values['fileName'] ?? SOURCE_NAME)
  const isCustom = isTyped || rule === CUSTOM || !choices.some(([known]) => known === rule)
  const isRight = isFileNameRule(rule)
  const choose = (chosen: string): void => {
    setTyped(chosen === CUSTOM)
    if (chosen !== CUSTOM) onChange({ ...values, fileName: chosen })
  }
  return (
    <details className={css['name']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {naming.fileName.label}
        <small data-wrong={!isRight || undefined}>
          {isRight ? exampleOf(rule, values, ids, id ?? ids[0]) : messageOf({ code: 'options.file-name', data: {} })}
        </small>
      </summary>
      {isOpen && (
        <div className={css['rule']}>
          <Select label="命名方式" value={isCustom ? CUSTOM : rule} choices={choices} onChange={choose} />
          {isCustom && <FieldSet fields={naming} values={values} onChange={onChange} />}
        </div>
      )}
    </details>
  )
}

/** What a file's result will be called, its sides made up; without a file, one as people have them. */
function exampleOf(rule: string, { format }: Options, ids: readonly string[], id: string | undefined): string {
  if (rule === SOURCE_NAME) return SAME
  const { stem, extension } = splitName((id === undefined ? undefined : readRow(id)?.name) ?? '照片.jpg')
  const written = typeof format === 'string' && isFormatId(format) ? formats[format].extensions[0] : extension
  const place = id === undefined ? 1 : ids.indexOf(id) + 1
  return `例：${writtenBy(rule.trim(), { stem, place, width: 1920, height: 1080, madeAt: new Date() })}.${written || 'jpg'}`
}
