import css from './why-us.module.css'

const points = [
  ['批量处理', '图片、文件夹整批拖入，统一设置、一键打包下载，文件夹结构原样保留。'],
  ['快速高效', '上传和处理同时进行，排队位置随时可见，切换页面也不会中断。'],
  ['云端引擎', '按字节逼近目标大小，从不超限；方向、透明背景和颜色不走样。'],
  ['专属客服', '遇到问题有人答，失败、取消或已是最优的图片不计次数。'],
]
const quotes = [
  ['公司行政', '报销系统限 500KB，以前一张张试，现在整个文件夹拖进来就行。'],
  ['考研学生', '报名照要求 20–100KB，一次就过，清晰度也没问题。'],
  ['电商运营', '上百张商品图压完打包下载，文件名和目录都没乱。'],
  ['中学教师', '家长发来的照片再也不会横着了。'],
]

/** Below the tool: four reasons and four sample voices. */
export function WhyUs() {
  return (
    <section className={css['why']} aria-labelledby="why">
      <h2 id="why">为什么选择我们</h2>
      <ul className={css['grid']}>
        {points.map(([title, text]) => (
          <li key={title} className={css['card']}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <h2>
        用户怎么说<small>示例，非真实用户</small>
      </h2>
      <ul className={css['grid']}>
        {quotes.map(([who, text]) => (
          <li key={who} className={css['card']}>
            <p>“{text}”</p>
            <p className={css['who']}>{who}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
