import { useAtomValue } from 'jotai'
import { changeClientSettings, choosePlace, clientSettingsAtom, placeText } from './client-state.ts'
import css from './settings-dialog.module.css'
import { UpdateLine } from './update-line.tsx'
import { openDialog } from '../state/dialogs.ts'
import { Modal } from '../ui/modal.tsx'
import type { ClientSettings, OutputPlace } from '#shared/desktop'

/** What can be set in the client: where results go, what it tells of by itself, and its version. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const settings = useAtomValue(clientSettingsAtom)
  return (
    <Modal title="设置" widthPx={480} onClose={onClose}>
      {settings ? <Settings settings={settings} /> : <p role="status">加载中…</p>}
      <div className={css['foot']}>
        <button type="button" onClick={() => openDialog('about')}>
          关于轻图
        </button>
        <button type="button" data-main onClick={onClose}>
          完成
        </button>
      </div>
    </Modal>
  )
}

function Settings({ settings }: { settings: ClientSettings }) {
  const { notify, updates } = settings
  return (
    <>
      <Place output={settings.output} />
      <section className={css['part']}>
        <h3>通知</h3>
        <label className={css['choice']}>
          <input type="checkbox" checked={notify} onChange={({ target }) => void changeClientSettings({ notify: target.checked })} />
          <span>
            全部完成时通知我<small>窗口在前面时不打扰</small>
          </span>
        </label>
      </section>
      <section className={css['part']}>
        <h3>更新</h3>
        <label className={css['choice']}>
          <input type="checkbox" checked={updates} onChange={({ target }) => void changeClientSettings({ updates: target.checked })} />
          <span>
            自动检查更新<small>下载和安装前都会先问您</small>
          </span>
        </label>
        <UpdateLine />
      </section>
    </>
  )
}

const hints: Readonly<Record<OutputPlace, string>> = {
  subfolder: '结果与原图分开放，不会混在一起',
  beside: '重名时自动编号，不会覆盖原图',
  folder: '所有结果放在一处，文件夹结构原样保留',
}

const places: readonly OutputPlace[] = ['subfolder', 'beside', 'folder']

function Place({ output }: { output: ClientSettings['output'] }) {
  return (
    <fieldset className={css['part']}>
      <legend>保存位置</legend>
      {places.map((place) => (
        <label key={place} className={css['choice']}>
          <input type="radio" name="place" checked={output.place === place} onChange={() => void choosePlace(place)} />
          <span>
            {place === 'folder' ? '指定文件夹' : placeText({ ...output, place })}
            <small>{place === 'folder' && output.folder !== '' ? output.folder : hints[place]}</small>
          </span>
          {place === 'folder' && (
            <button type="button" onClick={() => void choosePlace('other')}>
              选择…
            </button>
          )}
        </label>
      ))}
    </fieldset>
  )
}
