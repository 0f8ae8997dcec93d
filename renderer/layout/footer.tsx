import css from './footer.module.css'

/** Who runs the site. Company, licence and registration are the operator's to fill in. */
export function Footer() {
  return (
    <footer className={css['footer']}>
      <p>上传的文件 2 小时后自动删除，也可随时立即删除；不会用于其他用途。</p>
      <p>© 2026 轻图</p>
    </footer>
  )
}
