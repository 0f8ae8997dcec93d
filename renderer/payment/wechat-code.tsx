import codeMaker from 'qrcode-generator'
import { useLayoutEffect, useRef } from 'react'
import css from './pay-ways.module.css'

/** The border a reader needs around a code, in modules. */
const QUIET = 4

/** What WeChat scans, drawn here: no other server is told of it, and no text of the server becomes markup. */
export function WechatCode({ text }: { text: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, text)
  }, [text])
  return <canvas ref={canvas} className={css['code']} role="img" aria-label="微信支付二维码" />
}

function draw(canvas: HTMLCanvasElement, text: string): void {
  const code = codeMaker(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const context = canvas.getContext('2d')
  if (!context) return
  canvas.width = canvas.height = count + 2 * QUIET
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) if (code.isDark(row, column)) context.fillRect(column + QUIET, row + QUIET, 1, 1)
  }
}
