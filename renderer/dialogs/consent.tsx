import css from './consent.module.css'
import type { ConsentAsked } from '../state/consent.ts'
import { Modal } from '../ui/modal.tsx'

/** What becomes of pictures that may show faces, before the first of them is uploaded. Both answers weigh the same; closing is a no. */
export function Consent({ settle }: ConsentAsked) {
  return (
    <Modal title="上传照片前，请您确认" widthPx={440} onClose={() => settle(false)}>
      <p className={css['text']}>照片里可能有人脸，属于敏感个人信息，需要您同意后才会上传处理：</p>
      <ul className={css['list']}>
        <li>只用于完成您这次选择的处理</li>
        <li>2 小时后自动删除，也可随时点“立即删除”</li>
        <li>绝不用于训练模型</li>
        <li>照片里有其他人时，请先得到对方同意</li>
      </ul>
      <p className={css['text']}>不同意则不会上传任何图片。同意后，本浏览器不再询问。</p>
      <div className={css['buttons']}>
        <button type="button" onClick={() => settle(false)}>
          不同意
        </button>
        <button type="button" onClick={() => settle(true)}>
          同意并继续
        </button>
      </div>
    </Modal>
  )
}
