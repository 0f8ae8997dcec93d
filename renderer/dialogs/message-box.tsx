import css from './message-box.module.css'
import { dropMessage, type Message } from '../state/dialogs.ts'
import { Modal } from '../ui/modal.tsx'

/** A message and what can be done about it. */
export function MessageBox({ message: { title, text, button, action } }: { message: Message }) {
  return (
    <Modal title={title} widthPx={376} onClose={dropMessage}>
      <p className={css['text']}>{text}</p>
      <div className={css['buttons']}>
        <button type="button" onClick={dropMessage}>
          {button}
        </button>
        {action && (
          <button
            type="button"
            data-main
            onClick={() => {
              dropMessage()
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
    </Modal>
  )
}
