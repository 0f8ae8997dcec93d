import { useAtomValue } from 'jotai'
import css from './footer.module.css'
import { openDialog } from '../state/dialogs.ts'
import { partnerAtom } from '../state/session.ts'
import { factText, siteAtom } from '../state/site.ts'

/** Who runs the site, how they are reached, and the ways back in for members. A partner's visitors see the partner's last line. */
export function Footer() {
  const facts = useAtomValue(siteAtom)?.facts
  const isPartner = useAtomValue(partnerAtom)
  return (
    <footer className={css['footer']}>
      <div className={css['columns']}>
        <section>
          <h2>轻图</h2>
          <p>图片压缩到指定大小、格式转换与编辑，云端处理，打开浏览器就能用。</p>
          <p>上传的文件 2 小时后自动删除，也可随时立即删除；不会用于其他用途。</p>
        </section>
        <section>
          <h2>会员登录</h2>
          <p>
            <button type="button" aria-haspopup="dialog" onClick={() => openDialog('login')}>
              会员账号登录
            </button>
          </p>
          <p>
            <button type="button" aria-haspopup="dialog" onClick={() => openDialog('order-login')}>
              商户单号登录
            </button>
          </p>
        </section>
        <section>
          <h2>联系我们</h2>
          <p>联系方式：{factText(facts, 'contact')}</p>
          <p>客服微信：{factText(facts, 'messagingContact')}</p>
          <p>会员可在账号面板申请开具正规发票。</p>
        </section>
      </div>
      <p className={css['registration']}>
        <span>版权：{factText(facts, isPartner ? 'partnerCopyright' : 'copyright')}</span>
        <span>公司：{factText(facts, 'company')}</span>
        <span>营业执照：{factText(facts, 'licence')}</span>
        <span>ICP备案：{factText(facts, isPartner ? 'partnerIcp' : 'icp')}</span>
        <span>公安备案：{factText(facts, 'policeNumber')}</span>
      </p>
    </footer>
  )
}
