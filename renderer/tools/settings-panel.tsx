import { useAtomValue } from 'jotai'
import { FieldSet } from './fields.tsx'
import css from './settings-panel.module.css'
import { clearPage } from '../state/batch.ts'
import { totalsAtom } from '../state/totals.ts'
import { afterChange, changeSettings, settingsAtom } from '../state/settings.ts'
import type { Fields } from '#shared/tools/field'

/** A tool's settings, made from its fields; what was last used on a page is there again. */
export function SettingsPanel({ path, fields }: { path: string; fields: Fields }) {
  const options = useAtomValue(settingsAtom(path))
  const { count } = useAtomValue(totalsAtom(path))
  return (
    <aside className={css['panel']} aria-label="设置">
      <FieldSet fields={fields} values={options} onChange={(next, key) => changeSettings(path, afterChange(path, next, key))} />
      <p className={css['note']}>
        文件 2 小时后自动删除
        {count > 0 ? (
          <>
            ，也可
            <button type="button" onClick={() => clearPage(path)}>
              立即删除
            </button>
          </>
        ) : (
          '，移除后立即删除'
        )}
        。
        <br />
        失败、取消或已是最优的图片不计次数。
      </p>
    </aside>
  )
}
