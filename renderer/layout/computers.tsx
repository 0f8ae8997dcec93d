import { useCallback, useEffect, useState } from 'react'
import css from './account-panel.module.css'
import { transport } from '../platform/http.ts'
import { deviceKinds, seenText } from '../device-text.ts'
import { failureText } from '../text.ts'
import { listDevices, releaseDevice, type DeviceView } from '#shared/api/devices'
import { CONTROL_MS, send } from '#shared/api/send'
import { COMPUTERS } from '#shared/membership'

/** The computers a member is signed in on; the others can be signed out. */
export function Computers() {
  const [devices, setDevices] = useState<readonly DeviceView[] | undefined>()
  const [failure, setFailure] = useState('')
  const read = useCallback(async (): Promise<void> => {
    setDevices(await send(transport, listDevices, undefined, { deadlineMs: CONTROL_MS }))
  }, [])
  const tell = (error: unknown): void => setFailure(failureText(error))
  useEffect(() => void read().catch(tell), [read])
  const release = async (deviceId: string): Promise<void> => {
    setFailure('')
    await send(transport, releaseDevice, { deviceId }, { deadlineMs: CONTROL_MS })
    await read()
  }
  return (
    <section className={css['computers']}>
      <h3>
        登录电脑 <small>最多 {COMPUTERS} 台</small>
      </h3>
      {!devices && failure === '' && <p role="status">加载中…</p>}
      <ul>
        {devices?.map(({ deviceId, name, kind, lastSeen, current }) => (
          <li key={deviceId}>
            <span>
              {name}
              <small>
                {deviceKinds[kind]} · {current ? '本机' : seenText(lastSeen, Date.now())}
              </small>
            </span>
            {!current && (
              <button type="button" aria-label={`退出 ${name}`} onClick={() => void release(deviceId).catch(tell)}>
                退出
              </button>
            )}
          </li>
        ))}
      </ul>
      {failure !== '' && (
        <p role="alert" className={css['alert']}>
          {failure}
        </p>
      )}
    </section>
  )
}
