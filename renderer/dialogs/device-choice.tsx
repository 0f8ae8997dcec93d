import { useState, type FormEvent } from 'react'
import { useAtomValue } from 'jotai'
import css from './device-choice.module.css'
import { deviceChoiceAtom, type DeviceChoiceAsked } from '../state/dialogs.ts'
import { deviceKinds, seenText } from '../device-text.ts'
import { Modal } from '../ui/modal.tsx'
import { messageOf } from '../words.ts'

/** Asks which computer is to be signed out, whenever that has to be chosen. */
export function DeviceChoice() {
  const asked = useAtomValue(deviceChoiceAtom)
  return asked && <Choice {...asked} />
}

function Choice({ devices, settle }: DeviceChoiceAsked) {
  // The one seen longest ago is proposed.
  const listed = devices.toSorted((left, right) => left.lastSeen.localeCompare(right.lastSeen))
  const [chosen, choose] = useState(listed[0]?.deviceId)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    settle(chosen)
  }
  return (
    <Modal title="选择要退出的电脑" widthPx={376} onClose={() => settle(undefined)}>
      <form onSubmit={submit}>
        <p className={css['text']}>{messageOf({ code: 'device.limit', data: { devices } })}</p>
        <fieldset className={css['list']}>
          <legend className="visually-hidden">要退出的电脑</legend>
          {listed.map(({ deviceId, name, kind, lastSeen }) => (
            <label key={deviceId} className={css['device']}>
              <input type="radio" name="device" value={deviceId} checked={deviceId === chosen} onChange={() => choose(deviceId)} />
              <span>
                <b>{name}</b>
                <small>
                  {deviceKinds[kind]} · {seenText(lastSeen, Date.now())}
                </small>
              </span>
            </label>
          ))}
        </fieldset>
        <div className={css['buttons']}>
          <button type="button" onClick={() => settle(undefined)}>
            取消
          </button>
          <button type="submit" data-main>
            退出并登录
          </button>
        </div>
      </form>
    </Modal>
  )
}
